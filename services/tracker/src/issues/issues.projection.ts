import {
  type AwardEmojiEvent,
  awardEmojiEvents,
} from '@forgelog/contracts/tracker/award-emoji/award-emoji.events.ts';
import {
  type DiscussionEvent,
  discussionEvents,
} from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { type IssueEvent, issueEvents } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import {
  type SubscriptionEvent,
  subscriptionEvents,
} from '@forgelog/contracts/tracker/subscriptions/subscription.events.ts';
import { defineProjection, type Recorded } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { withVote } from '../award-emoji/voted.query.ts';
import { openTextOf, withNote } from '../discussions/note-counts.ts';
import { withSubscription } from '../subscriptions/subscribed.ts';
import { withMentions } from '../targets/mentions.ts';
import { noteableOf } from '../targets/target-ref.ts';
import { type Issue, type IssueDocument, issues, isThere } from './issues.collection.ts';
import { placeOfNumber } from './manual-order.ts';
import { countTasks } from './task-list.ts';

type Opened = Recorded<Extract<IssueEvent, { type: 'IssueOpened' }>>;

export const issuesProjection = defineProjection<
  IssueEvent | DiscussionEvent | AwardEmojiEvent | SubscriptionEvent
>({
  name: 'issues',
  collections: [issues],
  handles: [...issueEvents, ...discussionEvents, ...awardEmojiEvents, ...subscriptionEvents].map(
    ({ type }) => type,
  ),
  async project(event, documents) {
    switch (event.type) {
      case 'IssueOpened':
        return documents.put(issues, opened(event));
      case 'DiscussionStarted':
      case 'NoteAdded':
      case 'NoteEdited':
      case 'NoteDeleted':
      case 'DiscussionResolved':
      case 'DiscussionUnresolved': {
        const on = noteableOf(event.data);
        if (on.type !== 'Issue') return;
        const issue = await find(documents, on.projectId, on.iid);
        if (!issue) return;
        const noted = withNote(issue, event) ?? issue;
        const mentionedNames = withMentions(issue.mentionedNames, openTextOf(event));
        if (noted !== issue || mentionedNames !== issue.mentionedNames)
          documents.put(issues, { ...noted, mentionedNames });
        return;
      }
      case 'SubscriptionChosen':
      case 'SubscriptionChanged': {
        const { targetType, projectId, targetIid } = event.data;
        if (targetType !== 'Issue') return;
        const row = await find(documents, projectId, targetIid);
        if (row) documents.put(issues, withSubscription(row, event));
        return;
      }
      case 'EmojiAwarded':
      case 'EmojiWithdrawn': {
        const { targetType, projectId, targetIid } = event.data;
        if (targetType !== 'Issue') return;
        const issue = await find(documents, projectId, targetIid);
        const voted = issue && withVote(issue, event);
        if (voted) documents.put(issues, voted);
        return;
      }
      default:
        return change(event, documents);
    }
  },
});

async function find(documents: ProjectionDocuments, projectId: number, iid: number) {
  const issue = await documents.get(issues, placeOf(projectId, iid)!);
  return isThere(issue) ? issue : undefined;
}

function opened({ data, time }: Opened): Issue {
  const { issueId, projectId, iid, authorId, assigneeIds, labelIds, issueType, confidential } = data;
  const { title, description, dueDate, weight, milestoneId } = data;
  return {
    place: placeOf(projectId, iid)!,
    id: issueId,
    projectId,
    iid,
    authorId,
    assigneeIds,
    participantIds: [],
    subscriberIds: [],
    unsubscriberIds: [],
    mentionedNames: withMentions([], title, description),
    labelIds,
    milestoneId,
    epicId: null,
    epicRank: null,
    iterationId: null,
    state: 'opened',
    issueType,
    confidential,
    discussionLocked: false,
    title,
    description,
    createdAt: data.createdAt ?? time,
    updatedAt: time,
    closedAt: null,
    closedById: null,
    movedToId: null,
    movedToPlace: null,
    dueDate,
    weight,
    ...orders(dueDate, weight),
    rank: placeOfNumber(iid),
    ...tasks(description),
    timeEstimate: 0,
    timeSpent: 0,
    notesCount: 0,
    upvotes: 0,
    downvotes: 0,
  };
}

const orders = (dueDate: string | null, weight: number | null) => ({
  dueDateOrLast: dueDate ?? '9999-12-31',
  weightOrLast: weight ?? Number.MAX_SAFE_INTEGER,
});

function tasks(description: string | null) {
  const { count, completed } = countTasks(description);
  return { taskCount: count, tasksCompleted: completed };
}

async function change(
  event: Recorded<Exclude<IssueEvent, { type: 'IssueOpened' }>>,
  documents: ProjectionDocuments,
): Promise<void> {
  const { projectId, iid } = event.data;
  const issue = await find(documents, projectId, iid);
  if (!issue) return;
  const next = { ...issue, updatedAt: event.time };
  switch (event.type) {
    case 'IssueUpdated': {
      const { labels: _titles, ...changes } = event.data.changes;
      Object.assign(next, changes, { updatedAt: event.data.updatedAt ?? event.time });
      Object.assign(next, orders(next.dueDate, next.weight), tasks(next.description), {
        mentionedNames: withMentions(issue.mentionedNames, next.title, next.description),
      });
      return documents.put(issues, next);
    }
    case 'IssueClosed':
      return documents.put(issues, {
        ...next,
        state: 'closed',
        closedAt: event.time,
        closedById: event.data.closedById,
      });
    case 'IssueReopened':
      return documents.put(issues, { ...next, state: 'opened', closedAt: null, closedById: null });
    case 'IssueMoved': {
      const { movedToId = null } = event.data.changes;
      const movedToPlace = placeOf(event.data.toProjectId, event.data.toIid)!;
      return documents.put(issues, { ...next, movedToId, movedToPlace });
    }
    case 'IssueReordered': {
      const { relativePosition } = event.data.changes;
      return documents.put(issues, { ...issue, rank: relativePosition ?? placeOfNumber(iid) });
    }
    case 'IssueEpicSet': {
      const { epicId = issue.epicId, epicPosition } = event.data.changes;
      if (epicId === null) return documents.put(issues, { ...next, epicId, epicRank: null });
      const { updatedAt } = epicId === issue.epicId ? issue : next;
      const former = epicId === issue.epicId ? issue.epicRank : null;
      const epicRank =
        epicPosition === undefined
          ? (former ?? placeOfNumber(issue.id))
          : (epicPosition ?? placeOfNumber(issue.id));
      return documents.put(issues, { ...next, epicId, epicRank, updatedAt });
    }
    case 'IssueIterationSet':
      return documents.put(issues, { ...next, ...event.data.changes });
    case 'IssueCopied':
      return;
    case 'IssueTimeEstimateSet':
      return documents.put(issues, { ...next, timeEstimate: event.data.seconds });
    case 'IssueTimeSpentAdded':
      return documents.put(issues, { ...next, timeSpent: issue.timeSpent + event.data.seconds });
    case 'IssueTimeSpentReset':
      return documents.put(issues, { ...next, timeSpent: 0 });
    case 'IssueDeleted':
      return documents.put(issues, emptied(issue.place));
    default:
      event satisfies never;
  }
}

/** A document of which only the key is left. */
function emptied(place: number): IssueDocument {
  return { place } as IssueDocument;
}
