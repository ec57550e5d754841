import type { DomainEvent, EventOf } from '@forgelog/contracts/event.ts';
import { RefUpdated, type RepositoryEvent } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import {
  type IssueLinkEvent,
  issueLinkEvents,
} from '@forgelog/contracts/tracker/issue-links/issue-link.events.ts';
import { IssueCopied } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { initiatorOf, type RecordedEvent } from '@forgelog/eventing/event.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { discussions, notes } from '../discussions/discussions.collection.ts';
import { type TargetRef, targetKey } from '../targets/target-ref.ts';
import { followSources, pushedTo, sourceEvents } from './merge-request-sources.projection.ts';
import { systemDiscussionId, systemNoteId } from './system-note-id.ts';
import { toldLinks, toldOfClone } from './told-links.ts';
import type { ToldNote } from './told-note.ts';
import { toldNotes } from './told-notes.ts';

/* The part of the projection of discussions that makes notes of what changed. */

const ofTheirTarget = new Map(toldNotes.map(({ type, read }) => [type, read]));
const following = new Set<string>(sourceEvents.map(({ type }) => type));
const linking = new Set<string>(issueLinkEvents.map(({ type }) => type));

export const systemNoteEvents: readonly string[] = [
  ...new Set([...ofTheirTarget.keys(), ...following, ...linking, RefUpdated.type]),
];

export async function noteChanges(event: RecordedEvent, documents: ProjectionDocuments): Promise<void> {
  if (following.has(event.type)) await followSources(event, documents);
  const read = ofTheirTarget.get(event.type);
  if (read) {
    const { target, actorId, at, notes: told } = read(event);
    for (const note of told) put(documents, event, { target, actorId, at, note, isOwn: true });
  }
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
  { target, actorId, at, note: { slot, kind, text, ...facts }, isOwn }: Told,
): void {
  // A note has an author. What nobody did is told by the record itself.
  if (actorId === null) return;
  const id = systemNoteId(target, event, { slot, isOwn });
  const discussionId = systemDiscussionId(id);
  const createdAt = at ?? event.time;
  const where = {
    noteable: targetKey(target),
    ...{ projectId: target.projectId, groupId: null, source: facts.source, createdAt },
  };
  documents.put(discussions, {
    ...{ id: discussionId, ...where, individualNote: true, system: true },
    ...{ firstNoteId: id, open: true, confidentialAuthorIds: [], unresolved: false },
  });
  documents.put(notes, {
    ...{ id, discussionId, ...where, ...facts, text, told: kind, authorId: actorId, updatedAt: createdAt },
    ...{ noteableType: target.type, noteableId: target.id, noteableIid: target.iid },
    ...{ threaded: false, system: true, confidential: false, resolvable: false, onDiff: false },
    ...{ resolvedById: null, resolvedAt: null, commitId: null, edits: 0 },
  });
}
