import { randomBytes } from 'node:crypto';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { requireUnmodifiedSince } from '@forgelog/service-kit/precondition.ts';
import { discussionDecider, discussionStream, requireBody } from './discussion.decider.ts';
import type { NoteRow } from './discussions.collection.ts';
import { type Discussed, requireUnlocked } from './noteable.access.ts';

interface NewNote {
  body: string;
  /** As the caller gave it. */
  created_at?: string;
}

/** What signed-in callers do to the notes on what they may see. */
export function noteCommands({ commands, ids }: Pick<ServicePorts, 'commands' | 'ids'>) {
  async function newNote({ project, caller }: ApiRequest, { body, created_at }: NewNote) {
    // Only administrators and owners date what they write [L350]; of others it is not taken.
    const createdAt = project.level >= AccessLevel.owner ? (created_at ?? null) : null;
    // What says nothing takes no id.
    requireBody(body, 'create');
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
      discussed: Discussed,
      options: NewNote & { individualNote: boolean; confidential: boolean },
    ): Promise<{ discussionId: string; noteId: number }> {
      requireUnlocked(discussed, request);
      const { individualNote, confidential } = options;
      const discussionId = randomBytes(20).toString('hex');
      const note = await newNote(request, options);
      const start = { type: 'StartDiscussion' as const, individualNote, confidential, system: false };
      await commands.handle(
        discussionDecider,
        discussionStream(discussionId),
        { ...start, discussionId, on: discussed.on, ...note },
        request.metadata,
        { mustBeNew: true },
      );
      return { discussionId, noteId: note.noteId };
    },

    /** @returns the id of the new note */
    async reply(
      request: ApiRequest,
      discussed: Discussed,
      discussionId: string,
      given: NewNote,
    ): Promise<number> {
      requireUnlocked(discussed, request);
      const note = await newNote(request, given);
      await commands.handle(
        discussionDecider,
        discussionStream(discussionId),
        { type: 'AddNote', discussionId, on: discussed.on, ...note },
        request.metadata,
      );
      return note.noteId;
    },

    async edit(
      request: ApiRequest,
      discussed: Discussed,
      note: NoteRow,
      changes: { body?: string; confidential?: boolean },
    ): Promise<void> {
      requireUnlocked(discussed, request);
      const discussionId = note.discussionId!;
      await commands.handle(
        discussionDecider,
        discussionStream(discussionId),
        {
          type: 'EditNote',
          discussionId,
          on: discussed.on,
          noteId: note.id,
          ...changes,
          ...editor(request),
        },
        request.metadata,
      );
    },

    async remove(request: ApiRequest, discussed: Discussed, note: NoteRow): Promise<void> {
      requireUnlocked(discussed, request);
      requireUnmodifiedSince(request.headers, note.updatedAt);
      const discussionId = note.discussionId!;
      await commands.handle(
        discussionDecider,
        discussionStream(discussionId),
        { type: 'DeleteNote', discussionId, on: discussed.on, noteId: note.id, ...editor(request) },
        request.metadata,
      );
    },
  };
}
