import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { causedBy, type EventMetadata } from '@forgelog/eventing/event.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { epics } from '../epics/epics.projection.ts';
import { iterationIn } from '../iterations/iterations-of-issues.query.ts';
import { labelsFor, labelsTitled } from '../labels/label.query.ts';
import { labelsOf } from '../labels/shown-labels.ts';
import { milestoneNow, milestonesFor } from '../milestones/milestone.query.ts';
import { milestones } from '../milestones/milestones.projection.ts';
import { assignable } from '../targets/assignable.ts';
import { copyDiscussions } from './copied-discussions.ts';
import { type By, issueCommandsFor } from './issue.commands.ts';
import { type InEpic, type IssueOrigin, issueDecider, issueStream } from './issue.decider.ts';
import type { Issue } from './issues.collection.ts';
import { withUploadsOf } from './moved-uploads.ts';
import { isBelow } from './records-of-groups.query.ts';

interface Ids {
  issueId: number;
  projectId: number;
  iid: number;
}

type How = Pick<IssueOrigin, 'reason' | 'withNotes'>;

/** So many discussions are there when the call is answered; the policy brings the rest. */
const AT_ONCE = 100;

const idsOf = ({ id: issueId, projectId, iid }: Issue): Ids => ({ issueId, projectId, iid });

/** Copies of issues. One that was moved goes on as its copy. */
export function issueCopies(ports: ServicePorts) {
  const { commands, directory, ids, readStore } = ports;
  const { numbers } = issueCommandsFor(ports);

  /** Labels and milestone of the other project that have the titles of these. */
  async function plannedIn(projectId: number, { labelIds, milestoneId }: Issue) {
    const known = await labelsOf(readStore, [{ labelIds }]);
    const titles = [...new Set(labelIds.flatMap((id) => known.get(id)?.title ?? []))];
    const place = { projectId, groupId: null };
    const titled = await labelsTitled(readStore, await labelsFor(directory, place), titles);
    const labels = titles.flatMap((title) => titled.get(title)?.[0] ?? []);
    const milestone = milestoneId === null ? undefined : await milestoneNow(readStore, milestoneId);
    const [same] = milestone
      ? await readStore.find(milestones, {
          where: and(eq('title', milestone.title), await milestonesFor(directory, place)),
          limit: 1,
        })
      : [];
    return {
      labels: labels.map(({ title }) => title),
      labelIds: labels.map(({ id }) => id),
      milestoneId: same?.id ?? null,
    };
  }

  /** The epic of a copy: the same one, where the other project can have it. */
  async function epicIn(projectId: number, { epicId }: Issue): Promise<{ epic?: InEpic }> {
    if (epicId === null) return {};
    const [row] = await readStore.find(epics, { where: eq('id', epicId), limit: 1 });
    if (!row || !(await isBelow(directory, projectId, row.groupId))) return {};
    return { epic: { epicId, epicPosition: null, epicPlace: { groupId: row.groupId, iid: row.iid } } };
  }

  async function open(
    issue: Issue,
    { project }: ProjectGrant,
    { caller, metadata }: By,
    { reason, withNotes }: How,
  ): Promise<{ copy: Ids; caused: EventMetadata }> {
    const { projectId, title, description, confidential, dueDate, weight, timeEstimate, timeSpent } = issue;
    const isMoved = reason === 'moved';
    const authorId = isMoved ? issue.authorId : caller.userId;
    const wanted = {
      type: 'OpenIssue' as const,
      projectId: project.id,
      issueId: await ids.next('issue'),
      authorId,
      content: {
        ...{ title, confidential, dueDate, weight },
        description: description === null ? null : withUploadsOf(projectId, description),
        issueType: issue.issueType as 'issue' | 'incident' | 'test_case',
        assigneeIds: await assignable(
          directory,
          { projectId: project.id, feature: 'issues' },
          issue.assigneeIds,
        ),
        ...(await plannedIn(project.id, issue)),
      },
      createdAt: isMoved ? issue.createdAt : null,
      discussionLocked: issue.discussionLocked,
      times: [
        ...(timeEstimate > 0 ? [{ type: 'SetTimeEstimate' as const, seconds: timeEstimate }] : []),
        ...(isMoved && timeSpent > 0
          ? [{ type: 'AddTimeSpent' as const, userId: authorId, seconds: timeSpent, summary: null }]
          : []),
      ],
      copyOf: { ...idsOf(issue), reason, withNotes },
      ...(await epicIn(project.id, issue)),
      iterationId: await iterationIn(ports, project.id, issue.iterationId),
    };
    return numbers.withNext(project.id, async (iid) => {
      const { events } = await commands.handle(
        issueDecider,
        issueStream(project.id, iid),
        { ...wanted, iid },
        metadata,
        { mustBeNew: true },
      );
      const { issueId, projectId } = wanted;
      return { copy: { issueId, projectId, iid }, caused: causedBy(events.at(-1)!) };
    });
  }

  /** The issue goes on as the copy. @returns false where it goes on as another one: then there is no copy */
  async function leave(from: Ids, to: Ids, metadata: EventMetadata): Promise<boolean> {
    const command = { type: 'MoveIssue', ...place(from), movedById: metadata.actorId, to } as const;
    try {
      await commands.handle(issueDecider, issueStream(from.projectId, from.iid), command, metadata);
      return true;
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      // One that was deleted meanwhile is left for good.
      if (error.code === 'record_not_found') return true;
      await remove(to, metadata);
      return false;
    }
  }

  async function remove(copy: Ids, metadata: EventMetadata): Promise<void> {
    const stream = issueStream(copy.projectId, copy.iid);
    const { state } = await commands.load(issueDecider, stream);
    if (state.status === 'deleted') return;
    await commands.handle(issueDecider, stream, { type: 'DeleteIssue', ...place(copy) }, metadata);
  }

  const place = ({ projectId, iid }: Ids) => ({ projectId, iid });

  return {
    /** @returns the number of the copy. @throws refused where somebody else moved it at the same time */
    async copy(issue: Issue, to: ProjectGrant, by: By, how: How): Promise<number> {
      const { copy, caused } = await open(issue, to, by, how);
      const from = idsOf(issue);
      if (how.reason === 'moved' && !(await leave(from, copy, caused)))
        throw new Rejection('refused', { message: 'Cannot move issue: somebody else moved it' });
      if (how.withNotes) await copyDiscussions(ports, { from, to: copy }, caused, { atMost: AT_ONCE });
      return copy.iid;
    },

    /** What is left of a copy that is there: it is made whole, or taken back. */
    async goOn(
      { issueId, projectId, iid, reason, withNotes, ...origin }: Ids & How & Origin,
      metadata: EventMetadata,
      signal: AbortSignal,
    ): Promise<void> {
      const [from, to] = [fromOf(origin), { issueId, projectId, iid }];
      const { state } = await commands.load(issueDecider, issueStream(projectId, iid));
      if (state.status === 'deleted') return;
      if (reason === 'moved' && !(await leave(from, to, metadata))) return;
      if (withNotes) await copyDiscussions(ports, { from, to }, metadata, { signal });
    },
  };
}

interface Origin {
  originIssueId: number;
  originProjectId: number;
  originIid: number;
}

const fromOf = ({ originIssueId, originProjectId, originIid }: Origin): Ids => ({
  issueId: originIssueId,
  projectId: originProjectId,
  iid: originIid,
});
