import type { EventDefinition, EventOf } from '@forgelog/contracts/event.ts';
import type { activityActions } from '@forgelog/contracts/tracker/activity-events/activity-event.api.ts';
import type { AwardEndpoints } from '@forgelog/contracts/tracker/award-emoji/award-emoji.api.ts';
import type {
  DiscussionEndpoints,
  EditNoteEndpoint,
  StartEndpoint,
  ThreadEndpoints,
} from '@forgelog/contracts/tracker/discussions/discussion.api.ts';
import type { NoteEndpoints } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import type { ResourceEventEndpoints } from '@forgelog/contracts/tracker/resource-events/resource-event.api.ts';
import type { SubscriptionEndpoints } from '@forgelog/contracts/tracker/subscriptions/subscription.api.ts';
import type { TargetContract } from '@forgelog/contracts/tracker/targets/target.ts';
import type { TimeTrackingEndpoints } from '@forgelog/contracts/tracker/time-tracking/time-tracking.api.ts';
import type { TodoEndpoint } from '@forgelog/contracts/tracker/todos/todo.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Recorded } from '@forgelog/eventing/define-projection.ts';
import type { EventMetadata, RecordedEvent } from '@forgelog/eventing/event.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { Subject, Wishes } from '../quick-actions/quick-action.ts';
import type { Participation } from '../subscriptions/subscribed.ts';
import type { TimeCommand, Times } from '../time-tracking/time-tracking.decider.ts';
import type { CommitRef, EpicRef, SnippetRef, TargetRef } from './target-ref.ts';

/** The readers of a target: a confidential one is for its author, its assignees and Reporters upwards. */
export interface Readership {
  confidential: boolean;
  authorId: number;
  assigneeIds: readonly number[];
}

interface Seen extends Readership {
  key: string;
  discussionLocked: boolean;
  /** The caller's access level where the target is. */
  level: number;
}

/** A target that the caller may see, as it is now. */
export interface Target extends Seen, TargetRef {
  title: string;
}

export type DiscussedInProject = Target | (Seen & CommitRef) | (Seen & SnippetRef);
/** What the caller may see, to discuss it. */
export type Discussed = DiscussedInProject | (Seen & EpicRef);

/** What discussions need of one kind of thing; a part that the API does not have for the kind is left out. */
export interface DiscussedKind<Found extends Discussed = Discussed> {
  /** The one in the path of a request; undefined where there is none that the caller may see. */
  find(ports: ServicePorts, request: ApiRequest): Promise<Found | undefined>;
  discussions?: DiscussionEndpoints & { start: StartEndpoint; editNote: EditNoteEndpoint };
  threads?: TargetThreads<Found>;
  notes?: NoteEndpoints;
}

/**
 * Port: one kind of thing that can be talked about. Each kind implements it once, in its `.target.ts` file; a part that
 * the API does not have for the kind is left out.
 */
export interface TargetKind<Found extends Target = Target> extends DiscussedKind<Found> {
  contract: TargetContract;
  events: TargetEvents;
  /** Present titles by key; a target that is gone has none. */
  titles(ports: ServicePorts, refs: readonly TargetRef[]): Promise<ReadonlyMap<string, string>>;
  /** Reactions to targets of the kind, and to the notes on them. */
  awards?: { onTarget: AwardEndpoints; onNotes: AwardEndpoints };
  todos?: TargetTodos;
  subscriptions?: TargetSubscriptions<Found>;
  actions?: TargetActions<Found>;
  timeTracking?: TargetTimes<Found>;
  resourceEvents?: ResourceEventEndpoints;
}

/** Others, commits, have no record that commands could change. */
export const isTargetKind = (kind: DiscussedKind): kind is TargetKind => 'contract' in kind;

/** What a kind has whose threads are resolved, and may be on lines of a diff. */
interface TargetThreads<Found> {
  endpoint: ThreadEndpoints['resolve'];
  /** The commits of its newest diff. Threads on older ones are shown at the lines where theirs are now. */
  diffOf(ports: ServicePorts, target: Found, principal: Principal | null): Promise<DiffCommits | undefined>;
  /** Why nothing that is suggested on it can be applied; null where it can be. */
  suggestionProblem(ports: ServicePorts, target: Found): Promise<string | null>;
}

export interface DiffCommits {
  baseSha: string;
  startSha: string;
  headSha: string;
}

interface TargetTodos {
  endpoint: TodoEndpoint;
  /** Where a browser finds it, below the address of its project: `/-/issues/3`. */
  webPath(iid: number): string;
  /** The targets as items show them, by key; one that is gone is left out. */
  show(
    ports: ServicePorts,
    refs: readonly TargetRef[],
    principal: Principal,
  ): Promise<ReadonlyMap<string, JsonTemplate>>;
}

interface TargetSubscriptions<Found> {
  endpoints: SubscriptionEndpoints;
  participationOf(target: Found): Participation;
  /** The target by itself, as the caller sees it. */
  single(ports: ServicePorts, target: Found, caller: Principal): Promise<JsonTemplate>;
}

/** What commands in texts do to it. */
interface TargetActions<Found> {
  subjectOf(target: Found): Subject;
  /** Changes the record by one append, with the caller's rights. */
  change(
    ports: ServicePorts,
    target: Found,
    wanted: { wishes: Wishes; times: readonly TimeCommand[] },
    request: ApiRequest,
  ): Promise<void>;
  /** Tell whether they changed anything, and throw what refuses it. */
  approve?(ports: ServicePorts, target: Found, request: ApiRequest, approved: boolean): Promise<boolean>;
  rebase?(ports: ServicePorts, target: Found, request: ApiRequest): Promise<boolean>;
  merge?(ports: ServicePorts, target: Found, request: ApiRequest): Promise<'merged' | 'scheduled'>;
}

interface TargetTimes<Found> {
  endpoints: TimeTrackingEndpoints;
  timesOf(target: Found): Times;
  /** Hands the command to the decider of the target. */
  book(
    ports: ServicePorts,
    target: TargetRef,
    command: TimeCommand,
    metadata: EventMetadata,
  ): Promise<unknown>;
}

/** What the events of a kind say to the read models of other slices. */
export interface TargetEvents {
  opened: readonly EventRule<{ id: number; projectId: number } & Readership>[];
  /** Only an id where the event changes no reader. */
  readersChanged: readonly EventRule<{ id: number } & Partial<Omit<Readership, 'authorId'>>>[];
  /** The event's data → the id of the target that it ends. */
  deleted: readonly { type: string; idOf(data: unknown): number }[];
  activities: readonly EventRule<TargetActivity>[];
}

/** What the activity feed tells of an event. */
export interface TargetActivity {
  target: TargetRef;
  /** Word of the filter. */
  action: (typeof activityActions)[number];
  /** Word for display. */
  actionName: string;
  /** null stands for the system, whose doings are no activity. */
  authorId: number | null;
}

export const told = (
  action: TargetActivity['action'],
  actionName: string,
  authorId: number | null,
  target: TargetRef,
): TargetActivity => ({ action, actionName, authorId, target });

/** Reads one type of event. */
export interface EventRule<T> {
  type: string;
  read(event: RecordedEvent): T;
}

/** `on(IssueOpened, ({ data }) => …)` */
export const on = <D extends EventDefinition, T>(
  { type }: D,
  read: (event: Recorded<EventOf<D>>) => T,
): EventRule<T> => ({ type, read: read as EventRule<T>['read'] });

/** `ending(IssueDeleted, ({ issueId }) => issueId)` */
export const ending = <D extends EventDefinition>(
  { type }: D,
  idOf: (data: EventOf<D>['data']) => number,
): TargetEvents['deleted'][number] => ({ type, idOf: idOf as TargetEvents['deleted'][number]['idOf'] });
