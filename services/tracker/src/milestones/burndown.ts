import { Rejection } from '@forgelog/contracts/errors.ts';
import { MOST_BURNT_ISSUES } from '@forgelog/contracts/tracker/milestones/milestone-content.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, type Condition, eq, oneOf, range } from '@forgelog/eventing/query.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOfArray } from '@forgelog/service-kit/pagination.ts';
import { issues } from '../issues/issues.collection.ts';
import { resourceEvents } from '../resource-events/resource-events.collection.ts';
import { targetKey } from '../targets/target-ref.ts';
import { type BurndownEvent, burndownEventJson } from './burndown.view.ts';

/** So many issues one query names, and so many events it reads. */
const AT_ONCE = 500;

const BY_TIME = [
  { of: ({ createdAt }: BurndownEvent) => createdAt, direction: 'asc' as const },
  { of: ({ issueId }: BurndownEvent) => issueId, direction: 'asc' as const },
  { of: ({ order }: BurndownEvent) => order, direction: 'asc' as const },
];

const byTime = (a: BurndownEvent, b: BurndownEvent): number => {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? -1 : 1;
  return a.issueId - b.issueId || a.order - b.order;
};

/** Pages of what happened to the states of issues, from the log, as charts of milestones are drawn of it. */
export function burndownPages(ports: ServicePorts) {
  const { readStore } = ports;
  const view = burndownEventJson.renderer(ports);

  async function changesOf(weights: ReadonlyMap<number, number | null>): Promise<BurndownEvent[]> {
    const targets = [...weights.keys()].map((id) => targetKey({ type: 'Issue', id }));
    const events: BurndownEvent[] = [];
    for (let last = 0; ; ) {
      const rows = await readStore.find(resourceEvents, {
        where: and(oneOf('target', targets), eq('kind', 'state'), range('id', { gt: last })),
        ...{ sort: [asc('id')], limit: AT_ONCE },
      });
      for (const { id: order, targetId: issueId, word: action, createdAt } of rows)
        events.push({ createdAt, weight: weights.get(issueId) ?? null, action, issueId, order });
      if (rows.length < AT_ONCE) return events;
      last = rows.at(-1)!.id;
    }
  }

  /** @param where the issues of the milestone that the caller may see */
  return async ({ page }: Pick<ApiRequest, 'page'>, where: Condition): Promise<Answer> => {
    const found = await readStore.find(issues, {
      ...{ where, limit: MOST_BURNT_ISSUES + 1, select: ['id', 'createdAt', 'weight'] },
    });
    if (found.length > MOST_BURNT_ISSUES)
      throw new Rejection('bad_request', {
        reason: `The chart of a milestone has ${MOST_BURNT_ISSUES} issues at most`,
      });
    const events: BurndownEvent[] = [];
    for (let at = 0; at < found.length; at += AT_ONCE) {
      const rows = found.slice(at, at + AT_ONCE);
      for (const { id, createdAt, weight } of rows)
        events.push({ createdAt: createdAt!, weight, action: 'created', issueId: id!, order: 0 });
      events.push(...(await changesOf(new Map(rows.map(({ id, weight }) => [id!, weight])))));
    }
    const { items, next } = pageOfArray(events.sort(byTime), page, 'burndown', BY_TIME);
    return { kind: 'list', items: view.list(items), next };
  };
}
