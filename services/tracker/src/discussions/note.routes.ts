import type { NoteEndpoints } from '@forgelog/contracts/tracker/discussions/note.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, desc, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { systemNotes } from '../system-notes/shown-system-notes.ts';
import { requireTarget } from '../targets/target.access.ts';
import type { Discussed, DiscussedKind } from '../targets/target.ts';
import { notes } from './discussions.collection.ts';
import { readableNotes, requireNote } from './note.access.ts';
import { noteCommands } from './note.commands.ts';
import { type NoteRequest, noteCommandsJson, noteJson } from './note.view.ts';
import { noteDisplay } from './note-display.ts';

/** Notes on the targets of one kind, without regard to the discussions that they are in. */
export function noteRoutes(
  ports: ServicePorts,
  kind: DiscussedKind,
  endpoints: NoteEndpoints,
): Implementation[] {
  const { readStore, configuration } = ports;
  const commands = noteCommands(ports, kind);
  const view = noteJson.renderer(ports);
  const commandsView = noteCommandsJson.renderer(ports);
  const shownNotes = noteDisplay(ports, kind);
  const { on } = systemNotes(ports);
  const targetOf = (request: ApiRequest) => requireTarget(kind, ports, request);

  async function answerOf(
    { principal }: ApiRequest,
    target: Discussed,
    noteId: number,
    asked: NoteRequest = {},
  ) {
    const note = await requireNote(ports, target, noteId, principal);
    const [shown] = await shownNotes(target, [note], principal);
    return json(view.one(shown!, asked));
  }

  return [
    implement(endpoints.list, async (request) => {
      const { params, page, principal } = request;
      const target = await targetOf(request);
      const direction = params.sort === 'asc' ? asc : desc;
      const { documents, next } = await pageOf(readStore, notes, {
        where: and(
          await on(target, principal),
          readableNotes(target, principal),
          ...(params.activity_filter === 'all_notes'
            ? []
            : [eq('system', params.activity_filter === 'only_activity')]),
        ),
        sort: [direction(params.order_by === 'created_at' ? 'createdAt' : 'updatedAt')],
        page,
      });
      const items = view.list(await shownNotes(target, documents, principal), {});
      return { kind: 'list', items, next };
    }),

    implement(endpoints.create, async (request) => {
      const { params } = request;
      const target = await targetOf(request);
      const written = await commands.start(request, target, {
        body: params.body,
        created_at: params.created_at,
        individualNote: true,
        confidential: params.confidential ?? false,
      });
      const { applied } = written;
      if (!written.isNote) return json(commandsView.one(written.applied), { status: 202 });
      const promoted = promotions(params.body, configuration.EDITION);
      const commandsChanges = { ...applied?.commandsChanges, ...promoted };
      return answerOf(request, target, written.noteId, { commandsChanges });
    }),

    implement(endpoints.get, async (request) =>
      answerOf(request, await targetOf(request), request.params.note_id),
    ),

    implement(endpoints.edit, async (request) => {
      const { note_id, body, confidential } = request.params;
      const target = await targetOf(request);
      const note = await requireNote(ports, target, note_id, request.principal);
      await commands.edit(request, target, note, { body, confidential });
      return answerOf(request, target, note_id);
    }),

    implement(endpoints.delete, async (request) => {
      const { params, principal } = request;
      const target = await targetOf(request);
      const note = await requireNote(ports, target, params.note_id, principal);
      await commands.remove(request, target, note);
      return noContent();
    }),
  ];
}

const PROMOTE = /^\/promote[ \t]*\r?$/m;

/**
 * There are no epics here, so `/promote` promotes nothing, and says so where the
 * command exists [L244]; the note stays as it was written.
 */
function promotions(body: string, edition: 'free' | 'premium' | 'ultimate') {
  return edition !== 'free' && PROMOTE.test(body) ? { promote_to_epic: false } : {};
}
