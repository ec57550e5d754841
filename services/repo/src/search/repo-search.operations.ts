import type { RequestOf } from '@forgelog/contracts/operation.ts';
import { searchRepo } from '@forgelog/contracts/repo/search/repo-search.operations.ts';
import { and, type Condition, has } from '@forgelog/eventing/query.ts';
import type { NextPage } from '@forgelog/service-kit/answer.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { searched, searchedWords } from '@forgelog/service-kit/searched.ts';
import type { RepoPorts } from '../ports.ts';
import { projects } from '../projects/project.collection.ts';
import { conditionOf } from '../projects/project-filter.query.ts';
import { readableAnywhere } from '../snippets/snippet.access.ts';
import { shownSnippets, snippetJson } from '../snippets/snippet.view.ts';
import { snippets } from '../snippets/snippets.projection.ts';

type Asked = RequestOf<typeof searchRepo>;
type Found = Promise<{ items: string[]; next: NextPage }>;

export function repoSearchOperations(ports: RepoPorts): OperationImplementation[] {
  const { readStore, directory, answers } = ports;
  const snippetView = snippetJson.renderer(ports);

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

  return [
    implementOperation(searchRepo, ({ request, principal }) =>
      request.scope === 'projects' ? findProjects(request, principal) : findSnippets(request, principal),
    ),
  ];
}
