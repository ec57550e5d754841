import type { EventOf } from '@forgelog/contracts/event.ts';
import {
  DiscussionStarted,
  NoteAdded,
  NoteEdited,
} from '@forgelog/contracts/tracker/discussions/discussion.events.ts';
import { IssueOpened, IssueUpdated } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import {
  MergeRequestCreated,
  MergeRequestUpdated,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { initiatorOf, type RecordedEvent } from '@forgelog/eventing/event.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { notes } from '../discussions/discussions.collection.ts';
import type { TargetRef } from '../targets/target-ref.ts';
import { namedIn } from './named-targets.ts';

type Source = Pick<TargetRef, 'type' | 'projectId' | 'iid'>;

/** What was written, where others read it, and by whom. */
interface Written {
  source: Source;
  text: string;
  authorId: number | null;
  at: string | null;
}

const writing = [
  ...[IssueOpened, IssueUpdated, MergeRequestCreated, MergeRequestUpdated],
  ...[DiscussionStarted, NoteAdded, NoteEdited],
] as const;
type Writing = EventOf<(typeof writing)[number]>;

export const mentionEvents: readonly string[] = writing.map(({ type }) => type);

export interface Mention extends Omit<Written, 'text'> {
  /** `namedKey` of what is mentioned. */
  named: string;
}

/** What the text of an event mentions. A confidential note mentions nothing: others would learn of it. */
export async function mentionsIn(event: RecordedEvent, documents: ProjectionDocuments): Promise<Mention[]> {
  const written = await writtenBy(event as RecordedEvent & Writing, documents);
  if (!written) return [];
  const { text, ...mention } = written;
  return namedIn(text, mention.source.projectId).map((named) => ({ ...mention, named }));
}

async function writtenBy(
  event: RecordedEvent & Writing,
  documents: ProjectionDocuments,
): Promise<Written | undefined> {
  const actorId = initiatorOf(event.metadata).actorId;
  switch (event.type) {
    case 'IssueOpened':
    case 'MergeRequestCreated': {
      const { title, description, authorId, createdAt: at, projectId, iid } = event.data;
      const type = event.type === 'IssueOpened' ? 'Issue' : 'MergeRequest';
      return { source: { type, projectId, iid }, text: `${title}\n${description ?? ''}`, authorId, at };
    }
    case 'IssueUpdated':
    case 'MergeRequestUpdated': {
      const { changes, projectId, iid, updatedAt: at } = event.data;
      const type = event.type === 'IssueUpdated' ? 'Issue' : 'MergeRequest';
      const text = `${changes.title ?? ''}\n${changes.description ?? ''}`;
      return { source: { type, projectId, iid }, text, authorId: actorId, at };
    }
    case 'DiscussionStarted':
    case 'NoteAdded': {
      const { body: text, authorId, createdAt: at, confidential, system } = event.data;
      const source = sourceIn(event.data);
      return source && !confidential && !system ? { source, text, authorId, at } : undefined;
    }
    case 'NoteEdited': {
      const { body: text, confidential } = event.data.changes;
      const source = sourceIn(event.data);
      if (!source || text === undefined) return undefined;
      const isHidden = confidential ?? (await documents.get(notes, event.data.noteId))?.confidential ?? true;
      return isHidden ? undefined : { source, text, authorId: actorId, at: null };
    }
    default:
      event satisfies never;
      return undefined;
  }
}

/** What a note is on, where that can be mentioned from. */
function sourceIn(
  data: Pick<EventOf<typeof NoteEdited>['data'], 'noteableType' | 'projectId' | 'noteableIid'>,
): Source | undefined {
  const { noteableType: type, projectId, noteableIid: iid } = data;
  return type === 'Issue' || type === 'MergeRequest' ? { type, projectId: projectId!, iid: iid! } : undefined;
}
