import { randomBytes } from 'node:crypto';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { requireUnlocked } from '../noteables/noteable-access.ts';
import type { NoteableRow, NoteableType } from '../noteables/noteables.projection.ts';
import { discussionDecider, discussionStream, type Noteable } from './discussion.decider.ts';
import type { NoteRow } from './discussions.projection.ts';

/** What signed-in callers do to notes on a noteable that they may see. */
export type NoteCommands = ReturnType<typeof noteCommands>;

interface NewNote {
  body: string;
  /** As the caller gave it. */
  created_at?: string;
}

export function noteCommands({ commands, ids }: Pick<ServicePorts, 'commands' | 'ids'>) {
  async function newNote({ project, caller }: ApiRequest, { body, created_at }: NewNote) {
    // Only administrators and owners date what they write [L350]; of others it is not taken.
    const createdAt = project.level >= AccessLevel.owner ? (created_at ?? null) : null;
    return { noteId: await ids.next('note'), authorId: caller.userId, body, createdAt };
  }

  const editor = ({ project, caller }: ApiRequest) => ({
    editorId: caller.userId,
    isModerator: project.level >= AccessLevel.maintainer,
  });

  return {
    /** @returns the ids of the discussion and of its first note */
    async start(
      request: ApiRequest,
      noteable: NoteableRow,
      options: NewNote & { individualNote: boolean; confidential: boolean },
    ): Promise<{ discussionId: string; noteId: number }> {
      requireUnlocked(noteable, request);
      const { individualNote, confidential } = options;
      const discussionId = randomBytes(20).toString('hex');
      const note = await newNote(request, options);
      const start = { type: 'StartDiscussion' as const, individualNote, confidential, system: false };
      await commands.handle(
        discussionDecider,
        discussionStream(discussionId),
        { ...start, discussionId, on: onOf(noteable), ...note },
        request.metadata,
        { mustBeNew: true },
      );
      return { discussionId, noteId: note.noteId };
    },

    /** @returns the id of the new note */
    async reply(
      request: ApiRequest,
      noteable: NoteableRow,
      discussionId: string,
      given: NewNote,
    ): Promise<number> {
      requireUnlocked(noteable, request);
      const note = await newNote(request, given);
      await commands.handle(
        discussionDecider,
        discussionStream(discussionId),
        { type: 'AddNote', discussionId, on: onOf(noteable), ...note },
        request.metadata,
      );
      return note.noteId;
    },

    async edit(
      request: ApiRequest,
      noteable: NoteableRow,
      note: NoteRow,
      changes: { body?: string; confidential?: boolean },
    ): Promise<void> {
      requireUnlocked(noteable, request);
      const discussionId = note.discussionId!;
      await commands.handle(
        discussionDecider,
        discussionStream(discussionId),
        {
          type: 'EditNote',
          discussionId,
          on: onOf(noteable),
          noteId: note.id,
          ...changes,
          ...editor(request),
        },
        request.metadata,
      );
    },

    async remove(request: ApiRequest, noteable: NoteableRow, note: NoteRow): Promise<void> {
      requireUnlocked(noteable, request);
      const discussionId = note.discussionId!;
      await commands.handle(
        discussionDecider,
        discussionStream(discussionId),
        { type: 'DeleteNote', discussionId, on: onOf(noteable), noteId: note.id, ...editor(request) },
        request.metadata,
      );
    },
  };
}

const onOf = ({ projectId, type, id, iid }: NoteableRow): Noteable => ({
  projectId: projectId!,
  noteableType: type as NoteableType,
  noteableId: id!,
  noteableIid: iid!,
});
