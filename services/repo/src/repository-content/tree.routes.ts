import { Rejection } from '@forgelog/contracts/errors.ts';
import { getBlob, getRawBlob, getTree } from '@forgelog/contracts/repo/repositories/repository.api.ts';
import type { RawBlob } from '@forgelog/git/objects/blob-reader.ts';
import { isOid } from '@forgelog/git/objects/object-id.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import { MAX_COUNTED } from '@forgelog/service-kit/pagination.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { pageOfCommits } from '../shared/page-of-commits.ts';
import { rawAnswer } from '../shared/raw-content.ts';
import { needRevision } from '../shared/revisions.ts';
import { treeEntryJson } from './tree-entry.view.ts';

/** The largest blob sent inside JSON, in bytes; larger ones are only available raw. */
const MAX_IN_JSON = 100 * 1024 * 1024;

/** Serves folders and blobs [L210-L212]. */
export function treeRoutes(ports: RepoPorts): Implementation[] {
  const { repositories } = ports;
  const entryView = treeEntryJson.renderer(ports);

  return [
    implementWithGit(getTree, async ({ params, project: { project }, page }) => {
      const repository = repositories.of(project.id);
      const { ref, path, recursive } = params;
      const { items, next } = await pageOfCommits(repository, page, {
        name: [ref, path, recursive],
        commits: async () => [await needRevision(repository, project, ref, 'Tree')],
        async read([commitOid], offset) {
          const wanted = { path, recursive, order: 'grouped', offset, limit: page.size } as const;
          const tree = await repository.tree(commitOid!, wanted);
          if (!tree) throw new Rejection('not_found', { what: 'Tree' });
          const total = tree.total > MAX_COUNTED ? null : tree.total;
          return { items: tree.entries, total, more: tree.total > offset + page.size };
        },
      });
      return { kind: 'list', items: entryView.list(items), next };
    }),

    implementWithGit(getBlob, async ({ params, project }) => {
      const repository = repositories.of(project.project.id);
      const { oid, size } = await needBlob(repository, params.sha);
      const { content } = (await repository.objects.read(oid, MAX_IN_JSON))!;
      return json(
        `{"size":${size},"encoding":"base64","content":"${content.toString('base64')}","sha":"${oid}"}`,
      );
    }),

    implementWithGit(getRawBlob, async (request) => {
      const { params, project } = request;
      const repository = repositories.of(project.project.id);
      return rawAnswer(repository, await needBlob(repository, params.sha), undefined, request);
    }),
  ];
}

/** @throws 404 Blob Not Found, also for a malformed id */
async function needBlob(repository: RepositoryReads, sha: string): Promise<RawBlob> {
  const oid = sha.toLowerCase();
  const blob = isOid(oid) ? await repository.openBlob(oid) : undefined;
  if (!blob) throw new Rejection('not_found', { what: 'Blob' });
  return blob;
}
