import type { noteCommandsView } from '@forgelog/contracts/tracker/discussions/discussion.views.ts';
import type { TargetType } from '@forgelog/contracts/tracker/targets/target.ts';
import type { z } from 'zod';
import type { TimeCommand } from '../time-tracking/time-tracking.decider.ts';

/** A target as commands find it: as it is, or as it is to be opened. */
export interface Subject {
  type: TargetType;
  projectId: number;
  isNew: boolean;
  authorId: number;
  state: string;
  title: string;
  labelIds: readonly number[];
  assigneeIds: readonly number[];
  /** null for none. */
  milestoneId: number | null;
  discussionLocked: boolean;
  /** Seconds. */
  timeEstimate: number;
  timeSpent: number;
  /** These four in issues only. */
  confidential?: boolean;
  dueDate?: string | null;
  weight?: number | null;
  iterationId?: number | null;
  /** The rest in merge requests only. */
  reviewerIds?: readonly number[];
  sourceProjectId?: number;
  sourceBranch?: string;
  targetBranch?: string;
  sha?: string;
}

/** What commands change in the record: parameters of its update, as a caller would send them. */
export interface Wishes {
  title?: string;
  labels?: string[];
  add_labels?: string[];
  remove_labels?: string[];
  assignee_ids?: number[];
  reviewer_ids?: number[];
  milestone_id?: number | null;
  iteration_id?: number | null;
  due_date?: string | null;
  weight?: number | null;
  confidential?: boolean;
  discussion_locked?: boolean;
  state_event?: 'close' | 'reopen';
  target_branch?: string;
}

/** What commands changed, as the answer to whoever wrote them says it. */
export type CommandChanges = z.output<typeof noteCommandsView>['commands_changes'];

/** What commands do besides the record, in the writer's name. Each tells whether it changed anything. */
export interface Deeds {
  subscribe(subscribed: boolean): Promise<boolean>;
  todo(pending: boolean): Promise<boolean>;
  /** The other way round where the writer gave this emoji already. */
  award(name: string): Promise<boolean>;
  approve(approved: boolean): Promise<boolean>;
  merge(): Promise<'merged' | 'scheduled' | false>;
  rebase(): Promise<boolean>;
}

/** What the commands of one text share while they are read. */
export interface ActionContext {
  subject: Subject;
  writer: { userId: number; username: string; level: number };
  edition: 'free' | 'premium' | 'ultimate';
  today: string;
  /** The users whom the commands name and who may be assigned: their ids by username in lower case. */
  users: ReadonlyMap<string, { id: number; username: string }>;
  /** Branches of the target project among those that the commands name. */
  branches: ReadonlySet<string>;
  /** Active milestones that the target can have, among those that the commands name: ids by title. */
  milestones: ReadonlyMap<string, number>;
  /** Iterations that the target can be in, by what the commands name them by. */
  iterations: ReadonlyMap<string, { id: number; title: string | null }>;
  wishes: Wishes;
  times: TimeCommand[];
}

/** What came of one command: a sentence for the summary. A deed is done after the record is changed. */
export type Outcome =
  | string
  | {
      /** What is told where it changed something. */
      told: string;
      /** What is told instead, or whether it changed something. */
      done(deeds: Deeds): Promise<string | boolean>;
      changes: CommandChanges;
    };

/** One command: an entry of the table. */
export interface QuickAction {
  /** The first is its own; the others are spellings of it. */
  names: readonly [string, ...string[]];
  on: readonly TargetType[];
  /** Whether it can stand in the text with which a target is opened. */
  onNew: boolean;
  /** What its argument names, so that it is looked up for all commands of a text at once. */
  takes?: 'users' | 'branch' | 'milestone' | 'iteration';
  /** Whether the writer may, and whether it could change anything. */
  may(context: ActionContext): boolean;
  /** Enters what it wishes. @returns null where nothing can be made of the argument */
  apply(context: ActionContext, argument: string): Outcome | null;
}

const REPORTER = 20;
const DEVELOPER = 30;

/** Issues are changed by Reporters, merge requests by Developers, and both by author and assignees. */
export function mayEdit({ subject, writer }: ActionContext): boolean {
  const isOwn = writer.userId === subject.authorId || subject.assigneeIds.includes(writer.userId);
  return subject.isNew || isOwn || writer.level >= (subject.type === 'Issue' ? REPORTER : DEVELOPER);
}

/** Labels, people and dates are for Reporters. */
export const mayPlan = (context: ActionContext): boolean =>
  context.writer.level >= REPORTER && mayEdit(context);

export const mayBookTime = ({ writer }: ActionContext): boolean => writer.level >= REPORTER;

export const nameOf = ({ type }: Subject): string => (type === 'Issue' ? 'issue' : 'merge request');

export const BOTH = ['Issue', 'MergeRequest'] as const;
export const ISSUE = ['Issue'] as const;
export const MERGE_REQUEST = ['MergeRequest'] as const;
