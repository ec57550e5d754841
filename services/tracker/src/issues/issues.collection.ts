import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { issueLifetime } from '@forgelog/contracts/tracker/issues/issue.lifetime.ts';
import { eq, not, range } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';
import { placesOf } from '@forgelog/service-kit/project-place.ts';

/** Issues as they are read. A deleted issue leaves its key behind with nothing in it. */
export const issues = defineCollection({
  name: 'issues',
  key: 'place',
  fields: {
    /** `placeOf` project and number. */
    place: 'integer',
    id: 'integer?',
    projectId: 'integer?',
    iid: 'integer?',
    authorId: 'integer?',
    assigneeIds: 'integer[]?',
    /** Users who wrote a comment. */
    participantIds: 'integer[]?',
    /** Usernames that its texts have ever mentioned, in lower case. */
    mentionedNames: 'text[]?',
    /** Users who chose to be told of what happens to it, and those who chose not to be. */
    subscriberIds: 'integer[]?',
    unsubscriberIds: 'integer[]?',
    labelIds: 'integer[]?',
    milestoneId: 'integer?',
    /** The epic that it is in, also where that is gone, and its place among the issues there. */
    epicId: 'integer?',
    epicRank: 'text?',
    /** The iteration that it is in, also where that is gone. */
    iterationId: 'integer?',
    state: 'text?',
    issueType: 'text?',
    confidential: 'boolean?',
    discussionLocked: 'boolean?',
    title: 'text?',
    description: 'text?',
    createdAt: 'text?',
    updatedAt: 'text?',
    closedAt: 'text?',
    closedById: 'integer?',
    /** The issue that it goes on as in another project, and `placeOf` that. */
    movedToId: 'integer?',
    movedToPlace: 'integer?',
    dueDate: 'text?',
    weight: 'integer?',
    /** For ascending orders, in which issues without due date or weight come last. */
    dueDateOrLast: 'text?',
    weightOrLast: 'integer?',
    /** Its place in the order that people gave. */
    rank: 'text?',
    /** Seconds. */
    timeEstimate: 'integer?',
    timeSpent: 'integer?',
    /** Comments, without what the system notes. */
    notesCount: 'integer?',
    upvotes: 'integer?',
    downvotes: 'integer?',
    /** Items of the task lists in the description. */
    taskCount: 'integer?',
    tasksCompleted: 'integer?',
  },
  indexes: [
    ['id'],
    ['projectId', 'createdAt'],
    ['projectId', 'state', 'createdAt'],
    ['projectId', 'updatedAt'],
    ['projectId', 'dueDate'],
    ['projectId', 'dueDateOrLast'],
    ['projectId', 'rank'],
    ['createdAt'],
    ['updatedAt'],
    ['authorId', 'createdAt'],
    ['assigneeIds'],
    ['labelIds'],
    ['milestoneId'],
    ['iterationId', 'place'],
    ['epicId', 'epicRank'],
  ],
  search: ['title', 'description'],
  words: ['title', 'description'],
  holds: { lifetime: issueLifetime, where: not(eq('id', null)) },
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => range('place', placesOf(projectId)))],
});

/** An issue, or the key that a deleted one left behind. */
export type IssueDocument = DocumentOf<typeof issues>;

type MayBeNull =
  | 'description'
  | 'milestoneId'
  | 'epicId'
  | 'epicRank'
  | 'iterationId'
  | 'closedAt'
  | 'closedById'
  | 'movedToId'
  | 'movedToPlace'
  | 'dueDate'
  | 'weight';

export type Issue = {
  [F in keyof IssueDocument]: F extends MayBeNull ? IssueDocument[F] : NonNullable<IssueDocument[F]>;
};

export const isThere = (issue: Readonly<IssueDocument> | undefined): issue is Issue =>
  issue !== undefined && issue.projectId !== null;
