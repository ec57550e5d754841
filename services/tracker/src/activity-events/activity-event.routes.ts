import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  listEvents,
  listProjectEvents,
  listUserEvents,
} from '@forgelog/contracts/tracker/activity-events/activity-event.api.ts';
import { parseIdOrPath } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, type Condition, desc, eq, or, range } from '@forgelog/eventing/query.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import { emptyPage, type PageRequest, pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { TargetKind } from '../targets/target.ts';
import { membersOnly, readableAcross, readableInProject } from './activity-event.access.ts';
import { activityEventJson, withSubjects } from './activity-event.view.ts';
import { activityEvents, privateProfiles } from './activity-events.collection.ts';

/** Older events are not shown [L495]. */
const KEPT_YEARS = 3;

type Filters = Omit<ParamsOf<typeof listUserEvents>, 'id'>;

const TARGET_TYPES = {
  issue: 'Issue',
  milestone: 'Milestone',
  merge_request: 'MergeRequest',
  note: 'Note',
  project: 'Project',
  snippet: 'Snippet',
  user: 'User',
} as const;

export function activityEventRoutes(ports: ServicePorts, kinds: readonly TargetKind[]): Implementation[] {
  const { readStore, directory } = ports;
  const view = activityEventJson.renderer(ports);

  async function listed(where: Condition, filters: Filters, page: PageRequest): Promise<Answer> {
    const { documents, next } = await pageOf(readStore, activityEvents, {
      where: and(where, ...wanted(filters), range('createdAt', { gte: beginning(directory.today()) })),
      sort: [filters.sort === 'asc' ? asc('createdAt') : desc('createdAt')],
      page,
    });
    return { kind: 'list', items: view.list(await withSubjects(ports, kinds, documents)), next };
  }

  async function findUser(idOrName: string) {
    const parsed = parseIdOrPath(idOrName);
    const user =
      typeof parsed === 'number' ? await directory.user(parsed) : await directory.userByName(parsed);
    if (!user || user.state === 'deleted') throw new Rejection('not_found', { what: 'User' });
    return user;
  }

  /** Users with a private profile show their events to themselves and to administrators. */
  async function isKeptFrom(userId: number, principal: Principal | null): Promise<boolean> {
    if (principal?.userId === userId || principal?.isAdmin) return false;
    return (await readStore.get(privateProfiles, userId)) !== undefined;
  }

  return [
    implement(listEvents, async ({ caller, params, page }) => {
      const own = eq('authorId', caller.userId);
      const whose = params.scope === 'all' ? or(own, await membersOnly(directory, caller)) : own;
      return listed(and(whose, await readableAcross(directory, caller, kinds)), params, page);
    }),

    implement(listUserEvents, async ({ principal, params, page }) => {
      const { id } = await findUser(params.id);
      if (await isKeptFrom(id, principal)) {
        return { kind: 'list', ...emptyPage(page) };
      }
      return listed(and(eq('authorId', id), await readableAcross(directory, principal, kinds)), params, page);
    }),

    implement(listProjectEvents, async ({ principal, project, params, page }) =>
      listed(readableInProject(project, principal, kinds), params, page),
    ),
  ];
}

function wanted({ action, target_type, before, after }: Filters): Condition[] {
  const conditions: Condition[] = [];
  if (action !== undefined) conditions.push(eq('action', action));
  if (target_type !== undefined) conditions.push(eq('targetType', TARGET_TYPES[target_type]));
  // Neither the day before which nor the day after which is in it.
  if (before !== undefined) conditions.push(range('createdAt', { lt: `${before}T00:00:00.000Z` }));
  if (after !== undefined) conditions.push(range('createdAt', { gt: `${after}T23:59:59.999Z` }));
  return conditions;
}

/** The first day that is still told of; whole days, so that an answer holds for the day on which it is given. */
function beginning(today: string): string {
  const first = new Date(`${today}T00:00:00.000Z`);
  first.setUTCFullYear(first.getUTCFullYear() - KEPT_YEARS);
  return first.toISOString();
}
