import { randomBytes } from 'node:crypto';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { GivenPosition } from '@forgelog/contracts/tracker/discussions/position.params.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { requireUnmodifiedSince } from '@forgelog/service-kit/precondition.ts';
import { type Applied, quickActionCommands } from '../quick-actions/quick-action.commands.ts';
import { type Discussed, type DiscussedKind, isTargetKind, type Target } from '../targets/target.ts';
import { isTargetRef, type Noteable } from '../targets/target-ref.ts';
import { discussionDecider, discussionStream, requireBody } from './discussion.decider.ts';
import type { NoteRow } from './discussions.collection.ts';
import { requirePosition } from './position.rules.ts';

interface NewNote {
  body: string;
  /** As the caller gave it. */
  created_at?: string;
}

interface NewDiscussion extends NewNote {
  individualNote: boolean;
  confidential: boolean;
  position?: GivenPosition | undefined;
  commit_id?: string | undefined;
}

/** What became of a text: a note, unless it is nothing but commands. */
export type Written<Ids> =
  | ({ isNote: true } & Ids & { applied: Applied | null })
  | { isNote: false; applied: Applied };

/** What signed-in callers do to the notes on what they may see. */
export function noteCommands(ports: ServicePorts, kind: DiscussedKind) {
  const { commands, ids } = ports;
  const actions = isTargetKind(kind) ? quickActionCommands(ports, kind) : undefined;

  /**
   * Writes what a text says besides its commands, and then applies these: a note that is refused changes nothing, and
   * commands that are refused leave it.
   */
  async function written<Ids>(
    request: ApiRequest,
    target: Discussed,
    given: string,
    write: (body: string) => Promise<Ids>,
  ): Promise<Written<Ids>> {
    // What says nothing takes no id.
    requireBody(given, 'create');
    if (!actions || !isTarget(target)) return { isNote: true, ...(await write(given)), applied: null };
    const reading = await actions.read(request, target, given);
    if (!reading?.hasCommands)
      return { isNote: true, ...(await write(reading?.text ?? given)), applied: null };
    if (reading.text === '') return { isNote: false, applied: await actions.apply(request, target, reading) };
    const note = await write(reading.text);
    return { isNote: true, ...note, applied: await actions.apply(request, target, reading) };
  }

  async function newNote({ caller }: ApiRequest, { level }: Discussed, { body, created_at }: NewNote) {
    // Only administrators and owners date what they write [L350]; of others it is not taken.
    const createdAt = level >= AccessLevel.owner ? (created_at ?? null) : null;
    return { noteId: await ids.next('note'), authorId: caller.userId, body, createdAt };
  }

  const editor = ({ caller }: ApiRequest, { level }: Discussed) => ({
    editorId: caller.userId,
    isModerator: level >= AccessLevel.maintainer,
  });

  /** Begins a discussion with a text that is taken as it is. */
  async function comment(
    request: ApiRequest,
    target: Discussed,
    options: NewDiscussion,
  ): Promise<{ discussionId: string; noteId: number }> {
    requireUnlocked(target);
    const { individualNote, confidential, position: given, commit_id: commitId } = options;
    const discussionId = randomBytes(20).toString('hex');
    // What says nothing takes no id.
    requireBody(options.body, 'create');
    const position = given && (await requirePosition(ports, target, given, request.caller));
    const note = await newNote(request, target, options);
    const start = {
      ...{ type: 'StartDiscussion' as const, individualNote, confidential, system: false },
      ...{ position: position ?? null, commitId: commitId || null },
    };
    await commands.handle(
      discussionDecider,
      discussionStream(discussionId),
      { ...start, discussionId, on: refOf(target), ...note },
      request.metadata,
      { mustBeNew: true },
    );
    return { discussionId, noteId: note.noteId };
  }

  return {
    comment,

    async start(
      request: ApiRequest,
      target: Discussed,
      options: NewDiscussion,
    ): Promise<Written<{ discussionId: string; noteId: number }>> {
      requireUnlocked(target);
      return written(request, target, options.body, (body) => comment(request, target, { ...options, body }));
    },

    async reply(
      request: ApiRequest,
      target: Discussed,
      discussionId: string,
      given: NewNote,
    ): Promise<Written<{ noteId: number }>> {
      requireUnlocked(target);
      return written(request, target, given.body, async (body) => {
        const note = await newNote(request, target, { ...given, body });
        await commands.handle(
          discussionDecider,
          discussionStream(discussionId),
          { type: 'AddNote', discussionId, on: refOf(target), ...note },
          request.metadata,
        );
        return { noteId: note.noteId };
      });
    },

    async edit(
      request: ApiRequest,
      target: Discussed,
      note: NoteRow,
      changes: { body?: string; confidential?: boolean },
    ): Promise<void> {
      requireUnlocked(target);
      requireWritten(note);
      const discussionId = note.discussionId;
      await commands.handle(
        discussionDecider,
        discussionStream(discussionId),
        {
          type: 'EditNote',
          discussionId,
          on: refOf(target),
          noteId: note.id,
          ...changes,
          ...editor(request, target),
        },
        request.metadata,
      );
    },

    async resolve(
      request: ApiRequest,
      target: Discussed,
      { discussionId, system }: Pick<NoteRow, 'discussionId' | 'system'>,
      resolved: boolean,
    ): Promise<void> {
      requireWritten({ system });
      const { userId } = request.caller;
      const mayResolve = userId === target.authorId || target.level >= AccessLevel.developer;
      await commands.handle(
        discussionDecider,
        discussionStream(discussionId),
        { type: 'ResolveDiscussion', discussionId, on: refOf(target), resolved, userId, mayResolve },
        request.metadata,
      );
    },

    async remove(request: ApiRequest, target: Discussed, note: NoteRow): Promise<void> {
      requireUnlocked(target);
      requireWritten(note);
      requireUnmodifiedSince(request.headers, note.updatedAt);
      const discussionId = note.discussionId;
      await commands.handle(
        discussionDecider,
        discussionStream(discussionId),
        { type: 'DeleteNote', discussionId, on: refOf(target), noteId: note.id, ...editor(request, target) },
        request.metadata,
      );
    },
  };
}

const isTarget = (target: Discussed): target is Target => isTargetRef(target);

function refOf(target: Discussed): Noteable {
  if (target.type === 'Commit') return { projectId: target.projectId, type: target.type, sha: target.sha };
  if (target.type === 'Snippet') return { projectId: target.projectId, type: target.type, id: target.id };
  const { id, iid } = target;
  if (target.type === 'Epic') return { groupId: target.groupId, type: target.type, id, iid };
  return { projectId: target.projectId, type: target.type, id, iid };
}

/** @throws forbidden for what the system noted, which follows the log */
function requireWritten({ system }: Pick<NoteRow, 'system'>): void {
  if (system) throw new Rejection('forbidden', {});
}

/** @throws forbidden where discussion is locked and the caller is no member */
function requireUnlocked({ discussionLocked, level }: Discussed): void {
  if (discussionLocked && level < AccessLevel.guest) throw new Rejection('forbidden', {});
}
