import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ThreadEndpoints } from '@forgelog/contracts/tracker/discussions/discussion.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { systemNotes } from '../system-notes/shown-system-notes.ts';
import { requireTarget } from '../targets/target.access.ts';
import type { Discussed, DiscussedKind } from '../targets/target.ts';
import { type DiscussionRow, discussions, type NoteRow } from './discussions.collection.ts';
import { readableDiscussions, requireDiscussion, requireNote, withReadableNotes } from './note.access.ts';
import { noteCommands } from './note.commands.ts';
import { discussionJson, type NoteRequest, noteCommandsJson, noteJson } from './note.view.ts';
import { noteDisplay } from './note-display.ts';

/** Discussions on the targets of one kind. */
export function discussionRoutes(
  ports: ServicePorts,
  kind: DiscussedKind,
  endpoints: NonNullable<DiscussedKind['discussions']>,
): Implementation[] {
  const { readStore } = ports;
  const commands = noteCommands(ports, kind);
  const view = discussionJson.renderer(ports);
  const noteView = noteJson.renderer(ports);
  const commandsView = noteCommandsJson.renderer(ports);
  const shownNotes = noteDisplay(ports, kind);
  const { on } = systemNotes(ports);
  const targetOf = (request: ApiRequest) => requireTarget(kind, ports, request);

  async function discussionAnswer({ principal }: ApiRequest, target: Discussed, discussionId: string) {
    const row = await requireDiscussion(ports, target, discussionId, principal);
    const [discussion] = await shown(target, [row], principal);
    return json(view.one(discussion!));
  }

  async function shown<Row extends Pick<DiscussionRow, 'id'>>(
    target: Discussed,
    rows: readonly Row[],
    principal: Principal | null,
  ) {
    const found = await withReadableNotes(readStore, target, rows, principal);
    const notes = await shownNotes(
      target,
      found.flatMap(({ notes }) => notes),
      principal,
    );
    const byDiscussion = Map.groupBy(notes, ({ discussionId }) => discussionId);
    return found.map((row) => ({ ...row, notes: byDiscussion.get(row.id) ?? [] }));
  }

  async function noteAnswer(
    { principal }: ApiRequest,
    target: Discussed,
    note: NoteRow,
    asked: NoteRequest = {},
  ) {
    const [shownNote] = await shownNotes(target, [note], principal);
    return json(noteView.one(shownNote!, asked));
  }

  /** The note that a path names with its discussion. */
  async function noteOf(
    { principal }: ApiRequest,
    target: Discussed,
    path: { discussion_id: string; note_id: number },
  ) {
    const note = await requireNote(ports, target, path.note_id, principal);
    if (note.discussionId !== path.discussion_id) throw new Rejection('record_not_found');
    return note;
  }

  return [
    implement(endpoints.list, async (request) => {
      const target = await targetOf(request);
      const { principal } = request;
      const { documents, next } = await pageOf(readStore, discussions, {
        where: and(await on(target, principal), readableDiscussions(target, principal)),
        sort: [asc('createdAt'), asc('firstNoteId')],
        page: request.page,
        select: ['id', 'individualNote'],
      });
      return { kind: 'list', items: view.list(await shown(target, documents, principal)), next };
    }),

    implement(endpoints.get, async (request) =>
      discussionAnswer(request, await targetOf(request), request.params.discussion_id),
    ),

    // The parameters of the other form are among those of threads.
    implement(endpoints.start as ThreadEndpoints['start'], async (request) => {
      const target = await targetOf(request);
      const options = { ...request.params, individualNote: false, confidential: false };
      const written = await commands.start(request, target, options);
      if (!written.isNote) return json(commandsView.one(written.applied), { status: 202 });
      return discussionAnswer(request, target, written.discussionId);
    }),

    implement(endpoints.reply, async (request) => {
      const { params, principal } = request;
      const target = await targetOf(request);
      const { id, system } = await requireDiscussion(ports, target, params.discussion_id, principal);
      if (system) throw new Rejection('bad_request', { reason: 'Discussion can not be replied to' });
      const written = await commands.reply(request, target, id, params);
      if (!written.isNote) return json(commandsView.one(written.applied), { status: 202 });
      const { noteId, applied } = written;
      const note = await requireNote(ports, target, noteId, principal);
      return noteAnswer(request, target, note, { commandsChanges: applied?.commandsChanges ?? {} });
    }),

    implement(endpoints.getNote, async (request) => {
      const target = await targetOf(request);
      return noteAnswer(request, target, await noteOf(request, target, request.params));
    }),

    implement(endpoints.editNote as ThreadEndpoints['editNote'], async (request) => {
      const { params } = request;
      const { body, resolved } = params;
      const target = await targetOf(request);
      const note = await noteOf(request, target, params);
      if (resolved === undefined) await commands.edit(request, target, note, { body: body! });
      else await commands.resolve(request, target, note, resolved);
      return noteAnswer(request, target, await noteOf(request, target, params));
    }),

    ...(kind.threads
      ? [
          implement(kind.threads.endpoint, async (request) => {
            const { discussion_id, resolved } = request.params;
            const target = await targetOf(request);
            const { id, system } = await requireDiscussion(ports, target, discussion_id, request.principal);
            await commands.resolve(request, target, { discussionId: id, system }, resolved);
            return discussionAnswer(request, target, id);
          }),
        ]
      : []),

    implement(endpoints.deleteNote, async (request) => {
      const target = await targetOf(request);
      await commands.remove(request, target, await noteOf(request, target, request.params));
      return noContent();
    }),
  ];
}
