import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createUser, type TestUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';
import { fill, newProject, type TestProject } from '../support/repositories.ts';

/* Commits and tags are signed by git itself, with the programs that people use. */

const missing = ['gpg', 'ssh-keygen', 'openssl'].filter(
  (program) => spawnSync(program, ['--version']).error !== undefined,
);

describe.skipIf(missing.length > 0)('signatures', () => {
  let forgelog: Forgelog;
  let project: TestProject;
  let folder: string;
  let ada: TestUser;
  let bob: TestUser;

  const run = (program: string, args: string[], email = ada.email) =>
    execFileSync(program, args, {
      cwd: folder,
      stdio: 'pipe',
      env: {
        ...{ PATH: process.env.PATH, HOME: folder, GNUPGHOME: join(folder, 'gnupg') },
        ...{ GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: email },
        ...{ GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: email },
      },
    })
      .toString()
      .trim();
  const gpg = (...args: string[]) =>
    run('gpg', ['--batch', '--pinentry-mode', 'loopback', '--passphrase', '', ...args]);

  /** Commits with these settings of git, signed, and tags that. Returns the commit's id once both are pushed. */
  async function signed(name: string, settings: Record<string, string>, email?: string): Promise<string> {
    const given = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    run('git', [...given, 'commit', '-q', '--allow-empty', '-S', '-m', `Sign ${name}\n\nWith a body`], email);
    run('git', [...given, 'tag', '-s', '-m', `Tag ${name}`, name], email);
    await fill(forgelog, project, folder);
    return run('git', ['rev-parse', 'HEAD']);
  }
  const signatureOf = (path: string) => forgelog.get(`${project.at}/${path}/signature`);
  const statusOf = async (sha: string) => (await signatureOf(`commits/${sha}`)).body.verification_status;

  beforeAll(async () => {
    forgelog = await startForgelog();
    project = await newProject(forgelog, 'signed');
    [ada, bob] = [
      await createUser(forgelog, { username: 'ada' }),
      await createUser(forgelog, { username: 'bob' }),
    ];
    folder = mkdtempSync(join(tmpdir(), 'forgelog-signed-'));
    run('git', ['init', '-q', '-b', 'main']);
    run('mkdir', ['-m', '700', 'gnupg']);
  });
  afterAll(async () => {
    spawnSync('gpgconf', ['--homedir', join(folder, 'gnupg'), '--kill', 'all']);
    rmSync(folder, { recursive: true, force: true });
    await forgelog.stop();
  });

  test('what is not signed has no signature', async () => {
    run('git', ['commit', '-q', '--allow-empty', '-m', 'Plain']);
    run('git', ['tag', 'light']);
    run('git', ['tag', '-a', '-m', 'Annotated', 'annotated']);
    await fill(forgelog, project, folder);
    for (const path of ['commits/main', 'tags/light', 'tags/annotated'])
      expect(await signatureOf(path)).toMatchObject({
        status: 404,
        body: { message: '404 Signature Not Found' },
      });
    expect((await signatureOf('commits/nothing')).body).toEqual({ message: '404 Commit Not Found' });
    expect((await signatureOf('tags/nothing')).body).toEqual({ message: '404 Tag Not Found' });
  });

  test('GnuPG: whose key it is decides', async () => {
    gpg('--quick-generate-key', `Ada <${ada.email}>`, 'ed25519', 'sign', 'never');
    const settings = { 'user.signingkey': ada.email };
    const sha = await signed('gpg', settings);
    const keyId = /[0-9A-F]{16}(?=\s)/.exec(gpg('--list-keys', '--keyid-format', 'long'))![0];
    const unknown = {
      ...{ signature_type: 'PGP', verification_status: 'unknown_key', commit_source: 'gitaly' },
      ...{ gpg_key_id: null, gpg_key_primary_keyid: keyId, gpg_key_subkey_id: null },
      ...{ gpg_key_user_name: null, gpg_key_user_email: null },
    };
    expect((await signatureOf(`commits/${sha}`)).body).toEqual(unknown);
    expect((await signatureOf('tags/gpg')).body).toEqual(unknown);

    // The key names somebody else than whoever added it.
    const key = gpg('--armor', '--export', ada.email);
    const added = await forgelog.post('/user/gpg_keys', { key }, { token: bob.token });
    expect(await statusOf(sha)).toBe('unverified_key');
    await forgelog.delete(`/user/gpg_keys/${added.body.id}`, { token: bob.token });

    const { body: own } = await forgelog.post('/user/gpg_keys', { key }, { token: ada.token });
    const verified = {
      ...{ verification_status: 'verified', gpg_key_id: own.id, gpg_key_primary_keyid: keyId },
      ...{ gpg_key_user_name: 'Ada', gpg_key_user_email: ada.email },
    };
    expect((await signatureOf(`commits/${sha}`)).body).toMatchObject(verified);
    expect((await signatureOf('commits/main')).body).toMatchObject(verified);
    expect((await signatureOf('tags/gpg')).body).toMatchObject(verified);
    expect(await statusOf(await signed('gpg-other', settings, bob.email))).toBe('other_user');

    // The same signature over something else.
    const text = run('git', ['cat-file', 'commit', sha]).replace('Sign gpg', 'Sign gpG');
    writeFileSync(join(folder, 'forged'), `${text}\n`);
    const forged = run('git', ['hash-object', '-t', 'commit', '-w', 'forged']);
    run('git', ['branch', 'forged', forged]);
    await fill(forgelog, project, folder);
    expect(await statusOf('forged')).toBe('unverified');

    await forgelog.delete(`/user/gpg_keys/${own.id}`, { token: ada.token });
    expect(await statusOf(sha)).toBe('unknown_key');
  });

  test('OpenSSH: whose key it is decides', async () => {
    run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', 'ssh']);
    const settings = { 'gpg.format': 'ssh', 'user.signingkey': join(folder, 'ssh.pub') };
    const sha = await signed('ssh', settings);
    const unknown = {
      ...{ signature_type: 'SSH', verification_status: 'unknown_key', commit_source: 'gitaly' },
      key: null,
    };
    expect((await signatureOf(`commits/${sha}`)).body).toEqual(unknown);
    expect((await signatureOf('tags/ssh')).body).toEqual(unknown);
    const wanted = { title: 'Laptop', key: readFileSync(join(folder, 'ssh.pub'), 'utf8') };
    const { body: key } = await forgelog.post('/user/keys', wanted, { token: ada.token });
    const verified = { verification_status: 'verified', key };
    expect((await signatureOf(`commits/${sha}`)).body).toMatchObject(verified);
    expect((await signatureOf('tags/ssh')).body).toMatchObject(verified);
    expect(await statusOf(await signed('ssh-other', settings, bob.email))).toBe('other_user');
    expect(await statusOf(await signed('ssh-nobody', settings, 'nobody@example.com'))).toBe('other_user');
  });

  test('X.509: a trusted authority vouches for the address', async () => {
    const openssl = (...args: string[]) => run('openssl', args);
    const newKey = ['-newkey', 'rsa:2048', '-nodes'];
    openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/O=World/CN=PKI');
    openssl('req', ...newKey, '-keyout', 'own.key', '-out', 'own.csr', '-subj', '/O=World/CN=Ada');
    writeFileSync(join(folder, 'names'), `subjectAltName=email:${ada.email}\n`);
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-set_serial', '0x123456789abcdef0123456789'];
    openssl('x509', '-req', '-in', 'own.csr', ...by, '-out', 'own.pem', '-extfile', 'names');
    // What git expects of gpgsm.
    const program = join(folder, 'signer');
    const sign = `openssl cms -sign -binary -signer own.pem -inkey own.key -outform PEM`;
    const script = [
      '#!/bin/sh',
      `cd ${folder} && printf '\\n[GNUPG:] SIG_CREATED \\n' >&2`,
      `${sign} | sed 's/ CMS-/ SIGNED MESSAGE-/'`,
    ];
    writeFileSync(program, `${script.join('\n')}\n`);
    chmodSync(program, 0o700);
    const settings = { 'gpg.format': 'x509', 'gpg.x509.program': program, 'user.signingkey': 'own' };
    const before = getCACertificates();
    setDefaultCACertificates([...before, readFileSync(join(folder, 'ca.pem'), 'utf8')]);
    try {
      const sha = await signed('x509', settings);
      const { body, text } = await signatureOf(`commits/${sha}`);
      expect(body).toMatchObject({
        ...{ signature_type: 'X509', verification_status: 'verified' },
        x509_certificate: {
          ...{ subject: 'O=World,CN=Ada', email: ada.email, certificate_status: 'good' },
          x509_issuer: { subject: 'O=World,CN=PKI' },
        },
      });
      expect(text).toContain(`"serial_number":${0x123456789abcdef0123456789n}`);
      expect((await signatureOf('tags/x509')).body.verification_status).toBe('verified');
      expect(await statusOf(await signed('x509-other', settings, bob.email))).toBe('unverified');
    } finally {
      setDefaultCACertificates(before);
    }
    expect(await statusOf(await signed('x509-untrusted', settings))).toBe('unverified');
  });

  test('broken signatures are told as such, and nothing fails', async () => {
    const head = run('git', ['cat-file', 'commit', 'HEAD']).split('\n');
    const plain = head.filter((line) => /^(tree|parent|author|committer) /.test(line)).join('\n');
    const kinds = [
      ['PGP SIGNATURE', 'PGP'],
      ['SSH SIGNATURE', 'SSH'],
      ['SIGNED MESSAGE', 'X509'],
      ['SOMETHING', 'PGP'],
    ] as const;
    for (const [index, [armor]] of kinds.entries()) {
      for (const [at, content] of ['AAAA', '', 'A'.repeat(100_000), '\u0001'].entries()) {
        const signature = `gpgsig -----BEGIN ${armor}-----\n \n ${content}\n -----END ${armor}-----`;
        writeFileSync(join(folder, 'broken'), `${plain}\n${signature}\n\nBroken\n`);
        const sha = run('git', ['hash-object', '--literally', '-t', 'commit', '-w', 'broken']);
        run('git', ['branch', `broken-${index}-${at}`, sha]);
      }
    }
    await fill(forgelog, project, folder);
    for (const [index, [, type]] of kinds.entries())
      for (const at of [0, 1, 2, 3])
        expect((await signatureOf(`commits/broken-${index}-${at}`)).body).toMatchObject({
          ...{ signature_type: type, verification_status: 'unverified' },
        });
  });
});
