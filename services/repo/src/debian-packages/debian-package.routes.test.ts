import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import {
  groupDebianDistributions,
  projectDebianDistributions,
} from '@forgelog/contracts/repo/debian-distributions/debian-distribution.api.ts';
import {
  groupDebian,
  projectDebian,
  uploadDebianFile,
} from '@forgelog/contracts/repo/debian-packages/debian-package.api.ts';
import {
  deletePackage,
  deletePackageFile,
  listPackageFiles,
  listProjectPackages,
} from '@forgelog/contracts/repo/packages/package.api.ts';
import {
  groupCreated,
  groupMemberAdded,
  memberAdded,
  on,
  projectCreated,
  type StreamedEvent,
} from '@forgelog/testing/sample-events.ts';
import { DEVELOPER, OUTSIDER, OWNER, REPORTER, team } from '@forgelog/testing/sample-team.ts';
import { expect, test } from 'vitest';
import { debianDistributionSlice } from '../debian-distributions/debian-distribution.slice.ts';
import { packageSlice } from '../packages/package.slice.ts';
import { sampleChanges, sampleDeb } from '../testing/sample-deb.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { debianPackageSlice } from './debian-package.slice.ts';

const BOOKWORM = { codename: 'bookworm', suite: 'stable', components: ['main', 'contrib'] };
const IN_MAIN = { distribution: 'bookworm', component: 'main' };
const NAME = 'engine-tools_1.2.0_amd64.deb';
const OFF = { enabled: false, percentageOfTime: 0, percentageOfActors: 0, groups: [], actors: [] };
const PACKAGES = 'main/binary-amd64/Packages';

async function start(given: readonly StreamedEvent[] = team) {
  let now = Date.parse('2030-01-01T00:00:30Z');
  const slices = [debianDistributionSlice, packageSlice, debianPackageSlice];
  const running = await startRepoSlices(slices, given, () => new Date(now));
  const { call, ports } = running;
  await call(projectDebianDistributions.create, { id: 7, ...BOOKWORM }, OWNER);
  const dist = (dist_path: string, distribution = 'bookworm', as: number | null = REPORTER) =>
    call(projectDebian.dist, { id: 7, distribution, dist_path }, as);
  return {
    ...running,
    dist,
    textOf: async (path: string, distribution?: string) => {
      const { status, body } = await dist(path, distribution);
      return status === 200 ? String(body ?? '') : status;
    },
    upload: (file_name: string, bytes: Buffer | string, more: object = {}, as: number | null = DEVELOPER) =>
      call(uploadDebianFile, { id: 7, file_name, ...more }, as, {
        payload: Buffer.from(bytes),
        headers: { 'content-type': 'application/octet-stream' },
      }),
    pool: (package_version: string, file_name: string, more: object = {}) =>
      call(
        projectDebian.pool,
        {
          ...{ id: 7, distribution: 'bookworm', letter: 'e', package_name: 'engine-tools' },
          ...{ package_version, file_name, ...more },
        },
        REPORTER,
      ),
    keys: async () => (await Array.fromAsync(ports.objects.list('packages/'))).length,
    wait: (ms: number) => {
      now += ms;
    },
  };
}

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');

test('a binary package goes where it is told, and indexes name it', async () => {
  const { upload, textOf, dist, pool } = await start();
  const deb = sampleDeb({ Filename: 'pool/forged', SHA256: 'forged', Section: 'utils' });
  const { status, body, events } = await upload(NAME, deb, IN_MAIN);
  expect([status, body]).toEqual([201, { message: '201 Created' }]);
  expect(events.map(({ type }) => type)).toEqual([
    'PackageCreated',
    'PackageFileCreated',
    'DebianFilePublished',
  ]);
  const listed = String(await textOf(PACKAGES));
  expect(listed).toBe(`Package: engine-tools
Version: 1.2.0
Architecture: amd64
Maintainer: Ann Author <ann@example.com>
Description: Tools of the engine room
 They are sharp.
Section: utils
Filename: pool/bookworm/e/engine-tools/1.2.0/${NAME}
Size: ${deb.length}
MD5sum: ${createHash('md5').update(deb).digest('hex')}
SHA1: ${createHash('sha1').update(deb).digest('hex')}
SHA256: ${sha256(deb)}
`);
  expect(await textOf(PACKAGES, 'stable')).toBe(listed);
  const packed = (await dist(`${PACKAGES}.gz`)).body as Buffer;
  expect(String(gunzipSync(packed))).toBe(listed);
  const release = await textOf('Release');
  expect(release).toContain('Date: Tue, 01 Jan 2030 00:00:00 UTC\nAcquire-By-Hash: yes\n');
  expect(release).toContain('Architectures: all amd64\nComponents: contrib main\n');
  expect(release).toContain(` ${sha256(listed)} ${listed.length} ${PACKAGES}\n`);
  expect(release).toContain(` ${sha256(packed)} ${packed.length} ${PACKAGES}.gz\n`);
  for (const [path, bytes] of [
    [`main/binary-amd64/by-hash/SHA256/${sha256(packed)}`, packed],
    [`main/binary-amd64/by-hash/SHA256/${sha256(listed)}`, Buffer.from(listed)],
  ] as const)
    expect((await dist(path)).body).toEqual(bytes);
  for (const empty of ['contrib/binary-amd64/Packages', 'main/binary-all/Packages', 'main/source/Sources'])
    expect(await textOf(empty)).toBe('');
  for (const none of [
    'x',
    'main',
    'main/binary-arm64/Packages',
    `main/binary-amd64/by-hash/SHA256/${sha256('x')}`,
  ])
    expect((await dist(none)).status, none).toBe(404);
  expect((await pool('1.2.0', NAME)).body).toEqual(deb);
  for (const none of [{ letter: 'x' }, { package_name: 'e' }, { package_version: '1' }, { file_name: 'x' }])
    expect((await pool('1.2.0', NAME, none)).status, JSON.stringify(none)).toBe(404);
});

test('a changes file puts what it names where it says, signed or not', async () => {
  const { call, upload, textOf, pool, keys } = await start();
  const tarball = Buffer.from('sources');
  const dsc = `Format: 3.0 (native)
Source: engine-tools
Binary: engine-tools
Architecture: any
Version: 1.2.0
Checksums-Sha256:
 ${sha256(tarball)} ${tarball.length} engine-tools_1.2.0.tar.gz
Files:
 ${createHash('md5').update(tarball).digest('hex')} ${tarball.length} engine-tools_1.2.0.tar.gz
`;
  const files = {
    [NAME]: sampleDeb(),
    'engine-tools_1.2.0.dsc': Buffer.from(dsc),
    'engine-tools_1.2.0.tar.gz': tarball,
    'engine-tools-dbg_1.2.0_amd64.ddeb': sampleDeb({ Package: 'engine-tools-dbg', Source: 'engine-tools' }),
    'engine-tools-udeb_1.2.0_amd64.udeb': sampleDeb({
      Package: 'engine-tools-udeb',
      Source: 'engine-tools (1.2.0)',
    }),
  };
  for (const [name, bytes] of Object.entries(files)) expect((await upload(name, bytes)).status).toBe(201);
  expect(await textOf(PACKAGES)).toBe('');
  const all = { id: 7, include_versionless: true };
  expect((await call(listProjectPackages, all, OWNER)).body).toMatchObject([
    { name: 'incoming', version: null, package_type: 'debian' },
  ]);
  const changes = sampleChanges(files, {}, 'contrib/utils');
  const signed = `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n${changes}\n-----BEGIN PGP SIGNATURE-----\n\nx\n-----END PGP SIGNATURE-----\n`;
  const { status, events } = await upload('engine-tools_1.2.0_amd64.changes', signed);
  expect(status).toBe(201);
  expect(
    events
      .filter(({ type }) => type === 'DebianFilePublished')
      .map(({ data }) => (data as { kind: string }).kind),
  ).toEqual(['deb', 'dsc', 'deb', 'udeb']);
  const { body } = await call(listProjectPackages, { ...all, package_name: 'engine' }, OWNER);
  expect(body).toMatchObject([{ name: 'engine-tools', version: '1.2.0', package_type: 'debian' }]);
  const inPackage = await call(listPackageFiles, { id: 7, package_id: body[0].id }, OWNER);
  expect(inPackage.body.map(({ file_name }: { file_name: string }) => file_name)).toEqual([
    'engine-tools_1.2.0_amd64.changes',
    ...Object.keys(files),
  ]);
  expect((await call(listPackageFiles, { id: 7, package_id: 1 }, OWNER)).body).toEqual([]);
  const listed = String(await textOf('contrib/binary-amd64/Packages'));
  expect(listed.match(/^Package: .*/gm)).toEqual(['Package: engine-tools', 'Package: engine-tools-dbg']);
  expect(await textOf('contrib/debian-installer/binary-amd64/Packages')).toContain(
    'Package: engine-tools-udeb\n',
  );
  const sources = await textOf('contrib/source/Sources');
  expect(sources).toContain('Package: engine-tools\nFormat: 3.0 (native)\n');
  expect(sources).toContain('Directory: pool/bookworm/e/engine-tools/1.2.0\n');
  expect(sources).toContain(` ${sha256(dsc)} ${dsc.length} engine-tools_1.2.0.dsc\n`);
  for (const [name, bytes] of Object.entries(files)) expect((await pool('1.2.0', name)).body).toEqual(bytes);
  // The policy that deletes objects of ended files does not run here.
  expect(await keys()).toBe(2 * Object.keys(files).length + 1);
});

test('what does not fit is refused, and leaves nothing', async () => {
  const { upload, call, textOf, keys } = await start();
  const changes = (fields: object = {}, section?: string) =>
    sampleChanges({ [NAME]: sampleDeb() }, fields as Record<string, string>, section);
  const of = (fields: Record<string, string>) => sampleDeb(fields);
  for (const [name, bytes, more, message] of [
    ['notes.txt', 'x', {}, 'file_name is no name'],
    ['../x.deb', 'x', {}, 'file_name is no name'],
    ['-x.deb', 'x', {}, 'file_name is no name'],
    [NAME, sampleDeb(), { distribution: 'bookworm' }, 'component'],
    [NAME, sampleDeb(), { distribution: 'sid', component: 'main' }, 'distribution is none of the project'],
    [NAME, sampleDeb(), { distribution: 'bookworm', component: 'x' }, 'component is none'],
    ['x.dsc', 'x', IN_MAIN, 'for binary packages alone'],
    [NAME, 'no package', {}, `${NAME} is no archive of ar`],
    [NAME, 'no package', IN_MAIN, `${NAME} is no archive of ar`],
    [NAME, of({ Architecture: 'arm64' }), IN_MAIN, 'architecture arm64, which bookworm does not have'],
    [NAME, of({ Package: '../x' }), IN_MAIN, 'has a name of a package that is none'],
    [NAME, of({ Source: 'x (../1)' }), IN_MAIN, 'has a version that is none'],
    [NAME, of({ Version: '' }), IN_MAIN, 'has no field Version'],
    ['x.dsc', 'Source: x\n\nSource: y\n', {}, 'x.dsc is not one paragraph'],
    ['x.changes', 'x', {}, 'x.changes is not one paragraph'],
    ['x.changes', changes(), {}, `${NAME} was not uploaded before`],
    [
      'x.changes',
      changes({ Distribution: 'sid' }),
      {},
      'names a distribution that the project does not have',
    ],
    ['x.changes', changes({ Version: '1/2' }), {}, 'has a version that is none'],
    ['x.changes', 'x'.repeat(1024 * 1024 + 1), {}, 'is larger than'],
  ] as const) {
    const { status, body, events } = await upload(name, bytes, more);
    expect([status, events], `${name} ${message}`).toEqual([400, []]);
    expect(JSON.stringify(body)).toContain(message);
  }
  expect(await keys()).toBe(0);
  await upload(NAME, sampleDeb());
  for (const [text, message] of [
    [changes({}, 'non-free/utils'), 'component non-free, which bookworm does not have'],
    [sampleChanges({ [NAME]: sampleDeb({ Section: 'other' }) }), 'or is another file'],
  ] as const)
    expect(JSON.stringify((await upload('x.changes', text)).body)).toContain(message);
  expect(await keys()).toBe(1);
  expect((await call(listProjectPackages, { id: 7 }, OWNER)).body).toEqual([]);
  expect(await textOf(PACKAGES)).toBe('');
});

test('indexes follow uploads and deletions, and earlier ones stay for those who read the release before', async () => {
  const { call, upload, textOf, dist } = await start();
  await upload(NAME, sampleDeb(), IN_MAIN);
  const first = String(await textOf(PACKAGES));
  await upload(NAME, sampleDeb({ Section: 'other' }), IN_MAIN);
  const second = String(await textOf(PACKAGES));
  expect(second.match(/^Section: .*/gm)).toEqual(['Section: other']);
  const byHash = (text: string) => dist(`main/binary-amd64/by-hash/SHA256/${sha256(text)}`);
  expect(String((await byHash(first)).body)).toBe(first);
  expect(String((await byHash(second)).body)).toBe(second);
  // The package was the first one, and its newest file the second.
  await call(deletePackageFile, { id: 7, package_id: 1, package_file_id: 2 }, OWNER);
  expect(await textOf(PACKAGES)).toBe(first);
  await call(deletePackage, { id: 7, package_id: 1 }, OWNER);
  expect(await textOf(PACKAGES)).toBe('');

  await upload(NAME, sampleDeb(), IN_MAIN);
  await call(
    projectDebianDistributions.update,
    { id: 7, codename: 'bookworm', components: ['contrib'] },
    OWNER,
  );
  expect((await dist(PACKAGES)).status).toBe(404);
  await call(projectDebianDistributions.delete, { id: 7, codename: 'bookworm' }, OWNER);
  expect((await dist('Release')).status).toBe(404);
  await call(projectDebianDistributions.create, { id: 7, ...BOOKWORM }, OWNER);
  expect(await textOf(PACKAGES)).toBe('');
});

test('a release says what the distribution does, and how long it is current', async () => {
  const { call, textOf, wait } = await start();
  await call(
    projectDebianDistributions.update,
    {
      ...{ id: 7, codename: 'bookworm', origin: 'Engines', description: 'Tools\n\nPackage: forged' },
      valid_time_duration_seconds: 86_400,
    },
    OWNER,
  );
  const release = await textOf('Release');
  expect(release).toMatch(/^Origin: Engines\nSuite: stable\nCodename: bookworm\n/);
  expect(release).toContain('\nValid-Until: Wed, 02 Jan 2030 00:00:00 UTC\n');
  expect(release).toContain('\nDescription: Tools\n .\n Package: forged\nMD5Sum:\n');
  wait(3_600_000);
  expect(await textOf('Release')).toContain('\nValid-Until: Wed, 02 Jan 2030 01:00:00 UTC\n');
});

test('rights: readers of code read, developers upload, and what is switched off is not there', async () => {
  const { call, upload, dist } = await start();
  expect((await upload(NAME, sampleDeb(), IN_MAIN, REPORTER)).status).toBe(403);
  expect((await upload(NAME, sampleDeb(), IN_MAIN, null)).status).toBe(401);
  for (const as of [OUTSIDER, null]) {
    expect((await dist('InRelease', 'bookworm', as)).status).toBe(404);
    expect((await call(projectDebian.key, { id: 7, codename: 'bookworm' }, as)).status).toBe(404);
  }
  expect((await dist('InRelease', 'sid')).status).toBe(404);
  const feature = on('feature-debian_packages', {
    type: 'FeatureCreated',
    data: { name: 'debian_packages', ...OFF },
  });
  const off = await start([...team, feature]);
  expect((await off.upload(NAME, sampleDeb(), IN_MAIN)).status).toBe(404);
  expect((await off.dist('InRelease')).status).toBe(404);
});

test('a group has the packages of the projects below it that its caller may read', async () => {
  const inGroup = (id: number, visibility: 'public' | 'private'): StreamedEvent => {
    const { stream, event } = projectCreated(id, { visibility });
    return {
      stream,
      event: { ...event, data: { ...(event.data as object), namespaceId: 50, ownerId: null } },
    };
  };
  const given = [
    ...[...team, groupCreated(50, { visibility: 'public' }), inGroup(8, 'public'), inGroup(9, 'private')],
    ...[groupMemberAdded(50, OWNER, 50), memberAdded(8, DEVELOPER, 40), memberAdded(9, DEVELOPER, 40)],
  ];
  const { call, upload } = await start(given);
  for (const id of [8, 9]) {
    await call(projectDebianDistributions.create, { id, ...BOOKWORM }, DEVELOPER);
    await upload(`p${id}_1.2.0_amd64.deb`, sampleDeb({ Package: `p${id}`, Source: 'libp' }), {
      id,
      ...IN_MAIN,
    });
  }
  await upload(NAME, sampleDeb(), IN_MAIN);
  const read = async (as: number | null, dist_path: string) =>
    call(groupDebian.dist, { id: 50, distribution: 'bookworm', dist_path }, as);
  const named = async (as: number | null) =>
    String((await read(as, PACKAGES)).body).match(/^(Package|Filename): .*/gm);
  expect((await read(null, 'Release')).status).toBe(404);
  await call(groupDebianDistributions.create, { id: 50, codename: 'bookworm' }, OWNER);
  expect(await named(null)).toEqual([
    'Package: p8',
    'Filename: pool/bookworm/8/libp/libp/1.2.0/p8_1.2.0_amd64.deb',
  ]);
  expect(await named(DEVELOPER)).toHaveLength(4);
  const pooled = (project_id: number, as: number | null) =>
    call(
      groupDebian.pool,
      {
        ...{ id: 50, distribution: 'bookworm', project_id, letter: 'libp', package_name: 'libp' },
        ...{ package_version: '1.2.0', file_name: `p${project_id}_1.2.0_amd64.deb` },
      },
      as,
    );
  expect([(await pooled(8, null)).status, (await pooled(9, null)).status]).toEqual([200, 404]);
  expect((await pooled(9, DEVELOPER)).status).toBe(200);
  const key = String((await call(groupDebian.key, { id: 50, codename: 'bookworm' }, null)).body);
  expect(key).toMatch(/^-----BEGIN PGP PUBLIC KEY BLOCK-----/);
  expect(key).not.toBe(String((await call(projectDebian.key, { id: 7, codename: 'bookworm' }, OWNER)).body));
});

test('uploads at once are all there', async () => {
  const { upload, textOf, call } = await start();
  const names = ['a', 'b', 'c', 'd'].map((letter) => `engine-${letter}`);
  const answers = await Promise.all(
    names.map((Package) =>
      upload(`${Package}_1_amd64.deb`, sampleDeb({ Package, Source: 'engine-tools' }), IN_MAIN),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(
    String(await textOf(PACKAGES))
      .match(/^Package: .*/gm)
      ?.toSorted(),
  ).toEqual(names.map((name) => `Package: ${name}`));
  await upload(NAME, sampleDeb());
  const changes = sampleChanges({ [NAME]: sampleDeb() });
  const twice = await Promise.all([upload('a.changes', changes), upload('b.changes', changes)]);
  expect(twice.map(({ status }) => status)).toContain(201);
  expect(String(await textOf(PACKAGES)).match(/^Package: engine-tools$/gm)).toHaveLength(1);
  const { body } = await call(listProjectPackages, { id: 7 }, OWNER);
  expect(body).toHaveLength(1);
});
