import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  assignEpicIssue,
  listEpicIssues,
  MOST_REORDERED,
  removeEpicIssue,
  reorderEpicIssue,
} from '@forgelog/contracts/tracker/epics/epic-issue.api.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, type Condition, desc, eq, not, range } from '@forgelog/eventing/query.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { issuesAcross, REPORTER, readableIssue } from '../issues/issue.access.ts';
import { IN_NO_EPIC, type InEpic, issueDecider, issueStream } from '../issues/issue.decider.ts';
import { issueJson } from '../issues/issue.view.ts';
import { type Issue, type IssueDocument, issues, isThere } from '../issues/issues.collection.ts';
import { placeAmong } from '../issues/place-among.ts';
import { isBelow } from '../issues/records-of-groups.query.ts';
import { shownBeside } from '../issues/shown-beside.query.ts';
import { shownLabels } from '../labels/shown-labels.ts';
import { requireEpic } from './epic.access.ts';
import { epicJson } from './epic.view.ts';
import { epicIssueJson, epicIssueLinkJson } from './epic-issue.view.ts';
import type { EpicRow } from './epics.projection.ts';
import { parentEpics } from './parent-epics.query.ts';

/** Behind all places: those of ids begin with an `i`. */
const END = 'j';

/** The issues of epics. */
export function epicIssueRoutes(ports: ServicePorts): Implementation[] {
  const { commands, directory, readStore } = ports;
  const authorizer = createAuthorizer(directory);
  const [listed, linked] = [epicIssueJson.renderer(ports), epicIssueLinkJson.renderer(ports)];
  const [epicView, issueView] = [epicJson.renderer(ports), issueJson.renderer(ports)];

  type Asked = Pick<ApiRequest, 'group' | 'principal'> & { params: { epic_iid: number } };
  const epicOf = ({ group, principal, params }: Asked) =>
    requireEpic(readStore, group, principal, params.epic_iid);

  const places = async ({ group }: Pick<Asked, 'group'>) => directory.projectsBelow(group.group.id);

  /** The issues of an epic that the caller may read. */
  async function readable(epic: EpicRow, request: Asked) {
    const within = await places(request);
    const { where, counted } = await issuesAcross(ports, request.principal, { archived: true, within });
    const there = eq('epicId', epic.id);
    return { where: and(there, where), counted: and(there, counted) };
  }

  const shown = async (rows: readonly Readonly<IssueDocument>[], principal: Principal | null) => ({
    ...{ across: true, ...(await shownLabels(readStore, rows)) },
    ...(await shownBeside(ports, rows, principal)),
  });

  /** An issue that the caller may see and change, wherever it is. @throws not_found, forbidden */
  async function changeable(id: number, principal: Principal): Promise<Issue> {
    const [row] = await readStore.find(issues, { where: eq('id', id), limit: 1 });
    const grant = isThere(row) ? await authorizer.project(String(row.projectId), principal) : undefined;
    const issue =
      isThere(row) && grant?.can('issues')
        ? await readableIssue(readStore, grant, principal, row.iid)
        : undefined;
    if (!issue || !grant) throw new Rejection('not_found', { what: 'Issue' });
    if (grant.level < REPORTER || grant.project.readOnly !== null) throw new Rejection('forbidden', {});
    return issue;
  }

  /** One that is in the epic, for who may change it. */
  async function assigned(epic: EpicRow, id: number, principal: Principal): Promise<Issue> {
    const issue = await changeable(id, principal);
    if (issue.epicId !== epic.id || !(await isBelow(directory, issue.projectId, epic.groupId)))
      throw new Rejection('not_found', { what: 'Epic Issue' });
    return issue;
  }

  async function set(
    { projectId, iid }: Issue,
    { metadata }: Pick<ApiRequest, 'metadata'>,
    wanted: { epic: InEpic; from: number | null },
  ): Promise<void> {
    const command = { type: 'SetIssueEpic', projectId, iid, ...wanted } as const;
    await commands.handle(issueDecider, issueStream(projectId, iid), command, metadata);
  }

  async function answerOf(epic: EpicRow, { place, id }: Issue, principal: Principal, status = 200) {
    const issue = await readStore.get(issues, place);
    if (!isThere(issue)) throw new Rejection('not_found', { what: 'Issue' });
    const labels = await shownLabels(readStore, [epic]);
    const parents = await parentEpics(ports, [epic], principal);
    return json(
      linked.one({
        id,
        epic: epicView.one(epic, { across: false, parents, ...labels }),
        issue: issueView.one(issue, await shown([issue], principal)),
      }),
      { status },
    );
  }

  const within = ({ id: epicId, groupId, iid }: EpicRow, epicPosition: string | null): InEpic => ({
    ...{ epicId, epicPosition, epicPlace: { groupId, iid } },
  });

  async function placeFor(epic: EpicRow, issue: Issue, request: ApiRequest<typeof reorderEpicIssue>) {
    const { move_before_id, move_after_id } = request.params;
    const seen = await readable(epic, request);
    const neighbour = async (id: number | undefined) => {
      if (id === undefined) return undefined;
      const [found] = await readStore.find(issues, { where: and(eq('id', id), seen.where), limit: 1 });
      if (!isThere(found) || found.id === issue.id) throw new Rejection('not_found', { what: 'Epic Issue' });
      return found.epicRank!;
    };
    const among: Condition = and(eq('epicId', epic.id), not(eq('id', issue.id)));
    return placeAmong([await neighbour(move_before_id), await neighbour(move_after_id)], {
      // Whoever may read what is there.
      async next(rank, direction) {
        const isUp = direction === 'up';
        const [found] = await readStore.find(issues, {
          where: and(among, range('epicRank', isUp ? { gt: rank } : { lt: rank })),
          ...{ sort: [isUp ? asc('epicRank') : desc('epicRank')], limit: 1 },
        });
        return found?.epicRank ?? undefined;
      },
      end: () => END,
    });
  }

  return [
    implement(listEpicIssues, async (request) => {
      const epic = await epicOf(request);
      const { documents, next } = await pageOf(readStore, issues, {
        ...(await readable(epic, request)),
        ...{ sort: [asc('epicRank')], page: request.page, select: epicIssueJson.columns },
      });
      return { kind: 'list', items: listed.list(documents, await shown(documents, request.principal)), next };
    }),

    implement(assignEpicIssue, async (request) => {
      const { params, caller, group } = request;
      const epic = await epicOf(request);
      const issue = await changeable(params.issue_id, caller);
      if (!(await isBelow(directory, issue.projectId, group.group.id)))
        throw new Rejection('bad_request', {
          reason: 'The issue is in no project of the group of the epic, or of a group below it',
        });
      // Once more changes nothing, its place neither.
      if (issue.epicId !== epic.id) await set(issue, request, { epic: within(epic, null), from: null });
      return answerOf(epic, issue, caller, 201);
    }),

    implement(reorderEpicIssue, async (request) => {
      const { params, caller } = request;
      const epic = await epicOf(request);
      const issue = await assigned(epic, params.issue_id, caller);
      const place = await placeFor(epic, issue, request);
      await set(issue, request, { epic: within(epic, place), from: epic.id });
      const { where } = await readable(epic, request);
      const rows = await readStore.find(issues, { where, sort: [asc('epicRank')], limit: MOST_REORDERED });
      return json(listed.list(rows, await shown(rows, caller)));
    }),

    implement(removeEpicIssue, async (request) => {
      const { params, caller } = request;
      const epic = await epicOf(request);
      const issue = await assigned(epic, params.issue_id, caller);
      await set(issue, request, { epic: IN_NO_EPIC, from: epic.id });
      return answerOf(epic, issue, caller);
    }),
  ];
}
