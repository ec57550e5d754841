import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { LARGEST_IID } from '@forgelog/contracts/tracker/issues/issue.api.ts';
import { range } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/**
 * Issues as they are read. A deleted issue leaves its key behind with nothing in it, so that its number is known to
 * be taken.
 */
export const issues = defineCollection({
  name: 'issues',
  key: 'place',
  fields: {
    /** Project and number in one, see `placeOf`: one issue is one step into the table, and a project's lie together. */
    place: 'integer',
    id: 'integer?',
    projectId: 'integer?',
    iid: 'integer?',
    authorId: 'integer?',
    assigneeIds: 'integer[]?',
    /** Who wrote a comment. */
    participantIds: 'integer[]?',
    labels: 'text[]?',
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
    dueDate: 'text?',
    weight: 'integer?',
    /** For ascending orders, in which issues without due date or weight come last. */
    dueDateOrLast: 'text?',
    weightOrLast: 'integer?',
    /** Seconds. */
    timeEstimate: 'integer?',
    timeSpent: 'integer?',
    /** Comments, without what the system notes. */
    notesCount: 'integer?',
    /** Items of the task lists in the description. */
    taskCount: 'integer?',
    tasksCompleted: 'integer?',
  },
  indexes: [
    ['projectId', 'createdAt'],
    ['projectId', 'state', 'createdAt'],
    ['projectId', 'updatedAt'],
    ['projectId', 'dueDate'],
    ['projectId', 'dueDateOrLast'],
    ['createdAt'],
    ['updatedAt'],
    ['authorId', 'createdAt'],
    ['assigneeIds'],
    ['labels'],
  ],
  search: ['title', 'description'],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => range('place', placesOf(projectId)))],
});

export type IssueDocument = DocumentOf<typeof issues>;

const STEP = LARGEST_IID + 1;

/** The key of an issue; undefined for a number that no issue can have. Exact for 900 million projects. */
export function placeOf(projectId: number, iid: number): number | undefined {
  if (!Number.isSafeInteger(iid) || iid < 1 || iid > LARGEST_IID) return undefined;
  return projectId * STEP + iid;
}

export const iidOf = (place: number): number => place % STEP;
/** All keys of a project lie between these. */
export const placesOf = (projectId: number) => ({ gt: projectId * STEP, lt: (projectId + 1) * STEP });
