import type { DomainEvent, EventOf } from '@forgelog/contracts/event.ts';
import { RefUpdated, type RepositoryEvent } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import { EpicDeleted } from '@forgelog/contracts/tracker/epics/epic.events.ts';
import {
  type IssueLinkEvent,
  issueLinkEvents,
} from '@forgelog/contracts/tracker/issue-links/issue-link.events.ts';
import { IssueCopied, IssueDeleted } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { MergeRequestDeleted } from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { initiatorOf, type RecordedEvent } from '@forgelog/eventing/event.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { discussions, type NoteRow, notes } from '../discussions/discussions.collection.ts';
import { type TargetRef, targetKey } from '../targets/target-ref.ts';
import { followSources, pushedTo, sourceEvents } from './merge-request-sources.projection.ts';
import { namedKey } from './named-targets.ts';
import { mentionId, systemDiscussionId, systemNoteId } from './system-note-id.ts';
import { toldLinks, toldOfClone } from './told-links.ts';
import { type Mention, mentionEvents, mentionsIn } from './told-mentions.ts';
import { epicSource, naming, sourceKey, type ToldNote } from './told-note.ts';
import { toldNotes } from './told-notes.ts';

/* The part of the projection of discussions that makes notes of what changed. */

const ofTheirTarget = new Map(toldNotes.map(({ type, read }) => [type, read]));
const following = new Set<string>(sourceEvents.map(({ type }) => type));
const mentioning = new Set<string>(mentionEvents);
const linking = new Set<string>(issueLinkEvents.map(({ type }) => type));

export const systemNoteEvents: readonly string[] = [
  ...new Set([
    ...[...ofTheirTarget.keys(), ...following, ...linking, ...mentioning],
    ...[RefUpdated.type, IssueDeleted.type, EpicDeleted.type],
  ]),
];

export async function noteChanges(event: RecordedEvent, documents: ProjectionDocuments): Promise<void> {
  if (following.has(event.type)) await followSources(event, documents);
  const read = ofTheirTarget.get(event.type);
  if (read) {
    const { target, actorId, at, notes: told } = read(event);
    for (const note of told) put(documents, event, { target, actorId, at, note, isOwn: true });
  }
  if (mentioning.has(event.type))
    for (const mention of await mentionsIn(event, documents)) await putMention(documents, event, mention);
  if (event.type === IssueDeleted.type || event.type === MergeRequestDeleted.type)
    await forgetSource(event as Deleted, documents);
  if (event.type === EpicDeleted.type) await forgetEpic(event as EventOf<typeof EpicDeleted>, documents);
  const { actorId } = initiatorOf(event.metadata);
  for (const { target, note } of await toldElsewhere(event, documents))
    put(documents, event, { target, actorId, at: null, note, isOwn: false });
}

/** What events of other streams tell of targets. */
async function toldElsewhere(event: DomainEvent, documents: ProjectionDocuments) {
  if (event.type === IssueCopied.type) return toldOfClone(event as EventOf<typeof IssueCopied>);
  if (linking.has(event.type)) return toldLinks(event as IssueLinkEvent);
  if (event.type !== RefUpdated.type) return [];
  return pushedTo((event as Extract<RepositoryEvent, { type: 'RefUpdated' }>).data, documents);
}

type Deleted = RecordedEvent & EventOf<typeof IssueDeleted | typeof MergeRequestDeleted>;

/** Notes elsewhere that name what is gone. */
async function forgetSource({ type, data }: Deleted, documents: ProjectionDocuments): Promise<void> {
  const { projectId, iid } = data;
  const source = sourceKey({ type: type === 'IssueDeleted' ? 'Issue' : 'MergeRequest', projectId, iid });
  await forget(source, documents);
}

const forgetEpic = ({ data }: EventOf<typeof EpicDeleted>, documents: ProjectionDocuments) =>
  forget(epicSource(data.groupId, data.iid), documents);

async function forget(source: string, documents: ProjectionDocuments): Promise<void> {
  for (const collection of [notes, discussions]) await documents.deleteAll(collection, eq('source', source));
}

/** The first one stays. What is mentioned has no id there: it is known by how it was named. */
async function putMention(
  documents: ProjectionDocuments,
  event: RecordedEvent,
  { source: { type, projectId, iid }, named, authorId, at }: Mention,
): Promise<void> {
  const source = sourceKey({ type, projectId, iid });
  const id = mentionId(source, named);
  if (authorId === null || named === namedKey(type, String(projectId), iid)) return;
  if (await documents.get(notes, id)) return;
  const words = type === 'Issue' ? 'mentioned in issue' : 'mentioned in merge request';
  write(documents, {
    ...{ id, noteable: named, projectId, authorId, createdAt: at ?? event.time },
    ...{ noteableType: type, noteableId: null, noteableIid: null, note: naming(words, source) },
  });
}

interface Told {
  target: TargetRef;
  actorId: number | null;
  at: string | null;
  note: ToldNote;
  /** Whether the event is of the target's own stream. */
  isOwn: boolean;
}

function put(
  documents: ProjectionDocuments,
  event: RecordedEvent,
  { target, actorId: authorId, at, note, isOwn }: Told,
): void {
  // A note has an author. What nobody did is told by the record itself.
  if (authorId === null) return;
  const id = systemNoteId(target, event, { slot: note.slot, isOwn });
  const { type: noteableType, id: noteableId, iid: noteableIid, projectId } = target;
  const noteable = targetKey(target);
  write(documents, {
    ...{ id, noteable, projectId, authorId, createdAt: at ?? event.time, note },
    ...{ noteableType, noteableId, noteableIid },
  });
}

type Row = Pick<NoteRow, 'id' | 'noteable' | 'projectId' | 'authorId' | 'createdAt'> &
  Pick<NoteRow, 'noteableType' | 'noteableId' | 'noteableIid'>;

function write(
  documents: ProjectionDocuments,
  { note: { kind, text, addedIds, removedIds, source }, ...row }: Row & { note: ToldNote },
): void {
  const { id, noteable, projectId, createdAt } = row;
  const discussionId = systemDiscussionId(id);
  documents.put(discussions, {
    ...{ id: discussionId, noteable, projectId, groupId: null, source, createdAt },
    ...{ individualNote: true, system: true, firstNoteId: id, open: true },
    ...{ confidentialAuthorIds: [], unresolved: false },
  });
  documents.put(notes, {
    ...{ ...row, discussionId, groupId: null, source, text, told: kind, addedIds, removedIds },
    ...{ threaded: false, system: true, confidential: false, resolvable: false, onDiff: false },
    ...{ resolvedById: null, resolvedAt: null, commitId: null, edits: 0, updatedAt: createdAt },
  });
}
