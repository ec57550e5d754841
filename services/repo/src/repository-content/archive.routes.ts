import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  ARCHIVE_SUFFIXES,
  getArchive,
  getArchiveOfFormat,
} from '@forgelog/contracts/repo/repositories/repository.api.ts';
import type { ArchiveFormat } from '@forgelog/git/transport/archive.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { disposition } from '@forgelog/service-kit/disposition.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { findRevision } from '../shared/revisions.ts';

type Suffix = (typeof ARCHIVE_SUFFIXES)[number];

const MEDIA_TYPES: Record<ArchiveFormat, string> = {
  tar: 'application/x-tar',
  'tar.gz': 'application/gzip',
  'tar.bz2': 'application/x-bzip2',
  zip: 'application/zip',
};

/** Serves archives [L213]. A client disconnect stops git. */
export function archiveRoutes({ repositories }: RepoPorts): Implementation[] {
  async function archive(request: ApiRequest<typeof getArchive>, suffix: Suffix): Promise<Answer> {
    const { params, project, signal } = request;
    const { id, path, defaultBranch } = project.project;
    const repository = repositories.of(id);
    const revision = await findRevision(repository, project.project, params.sha);
    if (!revision) throw new Rejection('not_found', { what: 'File' });
    const named = params.sha || (defaultBranch ?? 'HEAD');
    const folder = archiveFolder(path, named, revision.oid);
    const format = formatOf(suffix);
    const stream = await repository.archive({
      commitOid: revision.oid,
      format,
      prefix: folder,
      path: params.path,
      signal,
    });
    if (!stream) throw new Rejection('not_found', { what: 'File' });
    return {
      kind: 'stream',
      stream,
      headers: {
        'Content-Type': MEDIA_TYPES[format],
        'Content-Disposition': disposition('attachment', `${folder}.${suffix}`),
        'X-Content-Type-Options': 'nosniff',
      },
    };
  }

  return [
    implementWithGit(getArchive, (request) => archive(request, 'tar.gz')),
    implementWithGit(getArchiveOfFormat, (request) => {
      const suffix = ARCHIVE_SUFFIXES.find((one) => one === request.params.format);
      if (suffix === undefined) throw new Rejection('unknown_route');
      return archive(request, suffix);
    }),
  ];
}

/** `<project>-<name>-<commit>`, without a repetition if the name is the commit. */
function archiveFolder(projectPath: string, named: string, oid: string): string {
  const name = named.replace(/^refs\/(heads|tags)\//, '').replaceAll('/', '-');
  return name === oid ? `${projectPath}-${oid}` : `${projectPath}-${name}-${oid}`;
}

function formatOf(suffix: Suffix): ArchiveFormat {
  switch (suffix) {
    case 'tar':
    case 'tar.gz':
    case 'tar.bz2':
    case 'zip':
      return suffix;
    case 'tbz':
    case 'tbz2':
    case 'tb2':
    case 'bz2':
      return 'tar.bz2';
    default:
      return suffix satisfies never;
  }
}
