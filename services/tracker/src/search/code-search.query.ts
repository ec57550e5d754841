import { searchCodeAcross } from '@forgelog/contracts/repo/search/repo-search.operations.ts';
import { directoryProjects } from '@forgelog/directory/collections.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { not, oneOf } from '@forgelog/eventing/query.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import { pageOfSnapshot } from '@forgelog/service-kit/pagination.ts';
import type { Search } from './search.ts';

/** Milliseconds for which the storages are remembered. */
const KEPT_MS = 10_000;

/** Files in the projects of a group, or of all, by the indexes of all storages, one after the other. */
export function codeSearch(ports: ServicePorts): (asked: Search) => Promise<Answer> {
  const { readStore, operations, clock } = ports;
  let known = { ids: [] as readonly number[], at: Number.NEGATIVE_INFINITY };

  /** A project of each storage, by which its instance is asked. */
  async function onePerStorage(): Promise<readonly number[]> {
    const now = clock().getTime();
    if (now - known.at < KEPT_MS) return known.ids;
    const storages: string[] = [];
    const ids: number[] = [];
    for (;;) {
      const where = not(oneOf('storage', storages));
      const [project] = await readStore.find(directoryProjects, { where, limit: 1 });
      if (!project) break;
      storages.push(project.storage);
      ids.push(project.id);
    }
    known = { ids, at: now };
    return ids;
  }

  return async ({ request: { page, principal }, place: { groupId }, search }) => {
    const found = await pageOfSnapshot(page, {
      name: ['blobs', groupId, search],
      current: async () => 'head',
      isThere: async () => true,
      async read(_, offset) {
        const items: string[] = [];
        const storages = await onePerStorage();
        let total: number | null = 0;
        let skip = offset;
        for (const [at, projectId] of storages.entries()) {
          const limit = page.size + 1 - items.length;
          const asked = { projectId, groupId, search, offset: skip, limit };
          const answer = await operations.call(searchCodeAcross, asked, { principal });
          items.push(...answer.items);
          const isFull = items.length > page.size;
          total = answer.total === null || (isFull && at < storages.length - 1) ? null : total + answer.total;
          if (isFull || total === null) break;
          skip = Math.max(0, skip - answer.total!);
        }
        const more = items.length > page.size;
        if (more) items.pop();
        return { items, total, more };
      },
    });
    return { kind: 'list', ...found };
  };
}
