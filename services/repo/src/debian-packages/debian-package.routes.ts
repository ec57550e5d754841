import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  groupDebian,
  projectDebian,
  uploadDebianFile,
} from '@forgelog/contracts/repo/debian-packages/debian-package.api.ts';
import { MOST_DEBIAN_BYTES } from '@forgelog/contracts/repo/packages/package.values.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import { and, asc, desc, eq, oneOf } from '@forgelog/eventing/query.ts';
import { type Answer, value } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { cachingHeaders, matchesEtag, notModified } from '@forgelog/service-kit/conditional.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { debianPlaces } from '../debian-distributions/debian-distribution.access.ts';
import { findDistribution, requireDistribution } from '../debian-distributions/debian-distribution.query.ts';
import {
  type DebianDistributionRow,
  debianDistributions,
} from '../debian-distributions/debian-distributions.projection.ts';
import { projectsWithReadablePackages } from '../packages/package.access.ts';
import { packageFileAnswer } from '../packages/package-file-answer.ts';
import { debianFiles, type PackageFileRow, packageFiles, packages } from '../packages/packages.projection.ts';
import { receiveUpload } from '../packages/receive-upload.ts';
import { storeBytes } from '../packages/store-file.commands.ts';
import type { RepoPorts } from '../ports.ts';
import { kindOfFile, poolFolder } from './debian-names.ts';
import { type DebianRepository, debianRepository, type ReleaseFile } from './debian-repository.ts';
import { addDebianFile, type DebianTarget } from './debian-upload.commands.ts';

export function debianPackageRoutes(ports: RepoPorts): Implementation[] {
  const { readStore, directory, clock } = ports;
  const places = debianPlaces(directory);
  const authorizer = createAuthorizer(directory);
  const instanceKey = lazyInstanceKey(ports.configuration);
  const repository = debianRepository({ readStore, clock, instanceKey });

  /** The distributions of this codename in projects below the group whose packages the caller may read. */
  async function sourcesOf({ group, principal }: ApiRequest, { codename }: DebianDistributionRow) {
    const asked = { groupId: group.group.id, direct: false, principal };
    const grants = await projectsWithReadablePackages({ directory, authorizer }, asked);
    const ids: number[] = [];
    for (const { project } of grants)
      if (await directory.featureEnabled('debian_packages', `Project:${project.id}`)) ids.push(project.id);
    return readStore.find(debianDistributions, {
      where: and(eq('codename', codename), oneOf('projectId', ids)),
      sort: [asc('id')],
      limit: MOST_SOURCES,
    });
  }

  /** A caller who sees a project and not its packages is told so, as by the project's own address. */
  async function refusalOf(projectId: number, { principal }: ApiRequest): Promise<Rejection> {
    const grant = await authorizer.project(String(projectId), principal);
    return grant && !grant.can('packages')
      ? new Rejection('forbidden', {})
      : new Rejection('record_not_found');
  }

  return [
    implement(uploadDebianFile, async (request) => {
      const { params, body, metadata } = request;
      const place = await places.project(request);
      const projectId = place.projectId!;
      const { file_name: filename, distribution, component } = params;
      const kind = kindOfFile(filename);
      if (kind === undefined) throw invalid('file_name is no name of a file of a Debian package');
      const named =
        distribution === undefined ? undefined : await findDistribution(readStore, place, distribution);
      if (distribution !== undefined) {
        if (kind !== 'deb' && kind !== 'udeb')
          throw invalid('distribution is for binary packages alone; a .changes names its own');
        if (!named) throw invalid('distribution is none of the project');
        if (!named.components.includes(component!)) throw invalid('component is none of the distribution');
      }
      const target: DebianTarget | undefined = named && { distribution: named, component: component! };
      const { options: _, ...file } = await receiveUpload(body, MOST_DEBIAN_BYTES, (stream) =>
        storeBytes(ports, projectId, stream, MOST_DEBIAN_BYTES),
      );
      await addDebianFile(ports, { projectId, filename, kind, target }, file, metadata);
      return value({ message: '201 Created' }, { status: 201 });
    }),

    implement(projectDebian.dist, async (request) => {
      const { distribution: name, dist_path: path } = request.params;
      const distribution = await requireDistribution(readStore, await places.project(request), name);
      return distAnswer(repository, distribution, [distribution.id], path, request);
    }),
    implement(groupDebian.dist, async (request) => {
      const { distribution: name, dist_path: path } = request.params;
      const distribution = await requireDistribution(readStore, await places.group(request), name);
      const sources = await sourcesOf(request, distribution);
      return distAnswer(
        repository,
        distribution,
        sources.map(({ id }) => id),
        path,
        request,
      );
    }),

    implement(projectDebian.pool, async (request) => {
      const { params, headers } = request;
      const distribution = await requireDistribution(
        readStore,
        await places.project(request),
        params.distribution,
      );
      return packageFileAnswer(ports.objects, headers, await requirePooled(distribution, params));
    }),
    implement(groupDebian.pool, async (request) => {
      const { params, headers } = request;
      const named = await requireDistribution(readStore, await places.group(request), params.distribution);
      const sources = await sourcesOf(request, named);
      const distribution = sources.find(({ projectId }) => projectId === params.project_id);
      if (!distribution) throw await refusalOf(params.project_id, request);
      return packageFileAnswer(ports.objects, headers, await requirePooled(distribution, params));
    }),

    implement(projectDebian.key, async (request) => {
      const place = await places.project(request);
      return keyAnswer(repository, await requireDistribution(readStore, place, request.params.codename));
    }),
    implement(groupDebian.key, async (request) => {
      const place = await places.group(request);
      return keyAnswer(repository, await requireDistribution(readStore, place, request.params.codename));
    }),
  ];

  /** The file that the indexes name; one that no index names is found by its package. */
  async function requirePooled(
    { id: distributionId, projectId }: DebianDistributionRow,
    { letter, package_name: name, package_version: version, file_name: filename }: Pooled,
  ): Promise<PackageFileRow> {
    if (letter !== poolFolder(name)) throw new Rejection('record_not_found');
    const newest = { sort: [desc('id')], limit: 1 };
    const [published] = await readStore.find(debianFiles, {
      where: and(
        ...[eq('distributionId', distributionId), eq('filename', filename)],
        ...[eq('source', name), eq('version', version)],
      ),
      ...newest,
    });
    if (published) {
      const file = await readStore.get(packageFiles, published.id);
      if (file) return file;
    }
    const [found] = await readStore.find(packages, {
      where: and(
        ...[eq('projectId', projectId), eq('packageType', 'debian')],
        ...[eq('name', name), eq('version', version)],
      ),
      limit: 1,
    });
    const [file] = found
      ? await readStore.find(packageFiles, {
          where: and(eq('packageId', found.id), eq('filename', filename)),
          ...newest,
        })
      : [];
    if (!file) throw new Rejection('record_not_found');
    return file;
  }
}

interface Pooled {
  letter: string;
  package_name: string;
  package_version: string;
  file_name: string;
}

/** Projects whose distributions make one of a group. */
const MOST_SOURCES = 1000;

const RELEASES: ReadonlySet<string> = new Set<ReleaseFile>(['Release', 'InRelease', 'Release.gpg']);

async function distAnswer(
  repository: DebianRepository,
  distribution: DebianDistributionRow,
  sources: readonly number[],
  path: string,
  { headers }: ApiRequest,
): Promise<Answer> {
  if (RELEASES.has(path))
    return textAnswer(await repository.release(distribution, sources, path as ReleaseFile));
  const index = await repository.index(distribution, sources, path);
  if (!index) throw new Rejection('record_not_found');
  const { bytes, sha256 } = index;
  const etag = `"${sha256}"`;
  if (matchesEtag(headers, etag)) return notModified(etag);
  // An index by its hash does not say by its name whether it is packed.
  const type = bytes[0] === 0x1f ? 'application/gzip' : PLAIN;
  return { kind: 'bytes', bytes, headers: { 'Content-Type': type, ...SAFE, ...cachingHeaders(etag) } };
}

async function keyAnswer(repository: DebianRepository, distribution: DebianDistributionRow): Promise<Answer> {
  return textAnswer(await repository.publicKey(distribution));
}

const PLAIN = 'text/plain; charset=utf-8';
const SAFE = { 'X-Content-Type-Options': 'nosniff' };

const textAnswer = (text: string): Answer => ({
  kind: 'text',
  text,
  headers: { 'Content-Type': PLAIN, 'Cache-Control': 'no-cache', ...SAFE },
});

const invalid = (problem: string) => new Rejection('invalid_parameters', { problems: [problem] });
