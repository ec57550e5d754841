import {
  createIssueNote,
  deleteIssueNote,
  getIssueNote,
  listIssueNotes,
  updateIssueNote,
} from '@forgelog/contracts/tracker/discussions/discussion.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, desc, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { notes } from './discussions.collection.ts';
import { requireNote } from './note.access.ts';
import { noteCommands } from './note.commands.ts';
import { type NoteRequest, noteJson } from './note.view.ts';
import { readableNotes, requireIssue } from './noteable.access.ts';

/** Notes of an issue without regard to the discussions that they are in. */
export function noteRoutes(ports: ServicePorts): Implementation[] {
  const { readStore, configuration } = ports;
  const commands = noteCommands(ports);
  const view = noteJson.renderer(ports);
  const issueOf = (request: ApiRequest, iid: number) => requireIssue(readStore, iid, request);

  return [
    implement(listIssueNotes, async (request) => {
      const { params, page } = request;
      const issue = await issueOf(request, params.issue_iid);
      const direction = params.sort === 'asc' ? asc : desc;
      const { documents, next } = await pageOf(readStore, notes, {
        where: and(
          eq('noteable', issue.key),
          readableNotes(issue, request),
          ...(params.activity_filter === 'all_notes'
            ? []
            : [eq('system', params.activity_filter === 'only_activity')]),
        ),
        sort: [direction(params.order_by === 'created_at' ? 'createdAt' : 'updatedAt')],
        page,
        select: view.columns,
      });
      return { kind: 'list', items: view.list(documents, {}), next };
    }),

    implement(createIssueNote, async (request) => {
      const { params } = request;
      const issue = await issueOf(request, params.issue_iid);
      const { noteId } = await commands.start(request, issue, {
        body: params.body,
        created_at: params.created_at,
        individualNote: true,
        confidential: params.confidential ?? false,
      });
      const note = await requireNote(readStore, issue, noteId, request);
      return json(view.one(note, commandsChanges(params.body, configuration.EDITION)));
    }),

    implement(getIssueNote, async (request) => {
      const issue = await issueOf(request, request.params.issue_iid);
      return json(view.one(await requireNote(readStore, issue, request.params.note_id, request), {}));
    }),

    implement(updateIssueNote, async (request) => {
      const { issue_iid, note_id, body, confidential } = request.params;
      const issue = await issueOf(request, issue_iid);
      const note = await requireNote(readStore, issue, note_id, request);
      await commands.edit(request, issue, note, { body, confidential });
      return json(view.one(await requireNote(readStore, issue, note_id, request), {}));
    }),

    implement(deleteIssueNote, async (request) => {
      const issue = await issueOf(request, request.params.issue_iid);
      await commands.remove(
        request,
        issue,
        await requireNote(readStore, issue, request.params.note_id, request),
      );
      return noContent();
    }),
  ];
}

const PROMOTE = /^\/promote[ \t]*\r?$/m;

/**
 * What commands in a note did. There are no epics here, so `/promote` promotes nothing, and says so where the
 * command exists [L244]; the note stays as it was written.
 */
function commandsChanges(body: string, edition: 'free' | 'premium' | 'ultimate'): NoteRequest {
  return edition !== 'free' && PROMOTE.test(body) ? { commandsChanges: { promote_to_epic: false } } : {};
}
