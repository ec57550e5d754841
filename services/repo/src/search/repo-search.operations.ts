import { Rejection } from '@forgelog/contracts/errors.ts';
import type { RequestOf } from '@forgelog/contracts/operation.ts';
import {
  searchCode,
  searchCodeAcross,
  searchRepo,
} from '@forgelog/contracts/repo/search/repo-search.operations.ts';
import { and, type Condition, has } from '@forgelog/eventing/query.ts';
import type { NextPage } from '@forgelog/service-kit/answer.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { emptyPage, pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { searched, searchedWords } from '@forgelog/service-kit/searched.ts';
import type { RepoPorts } from '../ports.ts';
import { projects } from '../projects/project.collection.ts';
import { conditionOf } from '../projects/project-filter.query.ts';
import { readableRepositories } from '../shared/readable-repository.ts';
import { readableAnywhere } from '../snippets/snippet.access.ts';
import { shownSnippets, snippetJson } from '../snippets/snippet.view.ts';
import { snippets } from '../snippets/snippets.projection.ts';
import { codeAcross } from './code-across.query.ts';
import { findBlobs, findCommits } from './code-search.query.ts';
import { searchedBlobJson, searchedCommitJson } from './searched.view.ts';
import { wikiSearch } from './wiki-search.query.ts';

type Asked = RequestOf<typeof searchRepo>;
type Found = Promise<{ items: string[]; next: NextPage }>;

export function repoSearchOperations(ports: RepoPorts): OperationImplementation[] {
  const { readStore, directory, answers, codeIndex } = ports;
  const snippetView = snippetJson.renderer(ports);
  const blobView = searchedBlobJson.renderer(ports);
  const commitView = searchedCommitJson.renderer(ports);
  const readable = readableRepositories(ports);
  const across = codeAcross(ports);

  async function findProjects({ groupId, search, byTime, page }: Asked, principal: Principal | null): Found {
    const texts = { telling: ['name', 'path'], others: ['description'], byTime };
    const { found, sort, first } = searched(searchedWords(search), texts);
    const below: Condition[] = groupId === null ? [] : [has('ancestors', groupId)];
    const where = and(await conditionOf({}, principal, ports), ...below, found);
    const { documents, next } = await pageOf(readStore, projects, { where, sort, first, page });
    const items = documents.map((document) => answers(document, principal, { simple: true }));
    return { items: await Promise.all(items), next };
  }

  async function findSnippets({ search, byTime, page }: Asked, principal: Principal | null): Found {
    const texts = { telling: ['title'], others: ['description'], byTime };
    const { found, sort, first } = searched(searchedWords(search), texts);
    const where = and(await readableAnywhere(directory, principal), found);
    const { documents, next } = await pageOf(readStore, snippets, { where, sort, first, page });
    const shown = await shownSnippets(directory, documents);
    return { items: shown.map((row) => String(snippetView.one(row))), next };
  }

  const finders = { projects: findProjects, snippet_titles: findSnippets, wiki_blobs: wikiSearch(ports) };

  return [
    implementOperation(searchRepo, ({ request, principal }) => finders[request.scope](request, principal)),

    implementOperation(searchCode, async ({ request, principal, signal }) => {
      const { projectId, scope, search, page } = request;
      if (search.trim() === '') throw new Rejection('invalid_parameters', { problems: ['search is empty'] });
      const answered = await readable.answer(projectId, principal, async ({ grant, repository }) => {
        const asked = { ...request, grant, repository, signal, codeIndex };
        if (scope === 'blobs') {
          const { items, next } = await findBlobs(asked);
          return { items: items.map((blob) => String(blobView.one(blob))), next };
        }
        const { items, next } = await findCommits(asked);
        return { items: items.map((commit) => String(commitView.one(commit))), next };
      });
      return 'refused' in answered ? emptyPage(page) : answered;
    }),

    implementOperation(searchCodeAcross, async ({ request, principal }) => {
      const { blobs, total } = await across(request, principal);
      return { items: blobs.map((blob) => String(blobView.one(blob))), total };
    }),
  ];
}
