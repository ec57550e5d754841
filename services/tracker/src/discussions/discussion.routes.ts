import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createIssueDiscussion,
  createIssueDiscussionNote,
  deleteIssueDiscussionNote,
  getIssueDiscussion,
  getIssueDiscussionNote,
  listIssueDiscussions,
  updateIssueDiscussionNote,
} from '@forgelog/contracts/tracker/discussions/discussion.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { asc } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { discussions } from './discussions.collection.ts';
import { readableDiscussions, requireDiscussion, requireNote, withReadableNotes } from './note.access.ts';
import { noteCommands } from './note.commands.ts';
import { discussionJson, noteJson } from './note.view.ts';
import { type Discussed, requireIssue } from './noteable.access.ts';

export function discussionRoutes(ports: ServicePorts): Implementation[] {
  const { readStore } = ports;
  const commands = noteCommands(ports);
  const view = discussionJson.renderer(ports);
  const noteView = noteJson.renderer(ports);
  const issueOf = (request: ApiRequest, iid: number) => requireIssue(readStore, iid, request);

  async function discussionAnswer(request: ApiRequest, issue: Discussed, discussionId: string) {
    const row = await requireDiscussion(readStore, issue, discussionId, request);
    const [discussion] = await withReadableNotes(readStore, issue, [row], request);
    return json(view.one(discussion!));
  }

  /** The note that a path names with its discussion. */
  async function noteOf(
    request: ApiRequest,
    issue: Discussed,
    path: { discussion_id: string; note_id: number },
  ) {
    const note = await requireNote(readStore, issue, path.note_id, request);
    if (note.discussionId !== path.discussion_id) throw new Rejection('record_not_found');
    return note;
  }

  return [
    implement(listIssueDiscussions, async (request) => {
      const issue = await issueOf(request, request.params.issue_iid);
      const { documents, next } = await pageOf(readStore, discussions, {
        where: readableDiscussions(issue, request),
        sort: [asc('createdAt'), asc('firstNoteId')],
        page: request.page,
        select: ['id', 'individualNote'],
      });
      const found = await withReadableNotes(readStore, issue, documents, request);
      return { kind: 'list', items: view.list(found), next };
    }),

    implement(getIssueDiscussion, async (request) => {
      const issue = await issueOf(request, request.params.issue_iid);
      return discussionAnswer(request, issue, request.params.discussion_id);
    }),

    implement(createIssueDiscussion, async (request) => {
      const { params } = request;
      const issue = await issueOf(request, params.issue_iid);
      const kind = { individualNote: false, confidential: false };
      const { discussionId } = await commands.start(request, issue, { ...params, ...kind });
      return discussionAnswer(request, issue, discussionId);
    }),

    implement(createIssueDiscussionNote, async (request) => {
      const { params } = request;
      const issue = await issueOf(request, params.issue_iid);
      const { id } = await requireDiscussion(readStore, issue, params.discussion_id, request);
      const noteId = await commands.reply(request, issue, id, params);
      return json(noteView.one(await requireNote(readStore, issue, noteId, request), {}));
    }),

    implement(getIssueDiscussionNote, async (request) => {
      const issue = await issueOf(request, request.params.issue_iid);
      return json(noteView.one(await noteOf(request, issue, request.params), {}));
    }),

    implement(updateIssueDiscussionNote, async (request) => {
      const { params } = request;
      const issue = await issueOf(request, params.issue_iid);
      const note = await noteOf(request, issue, params);
      await commands.edit(request, issue, note, { body: params.body });
      return json(noteView.one(await noteOf(request, issue, params), {}));
    }),

    implement(deleteIssueDiscussionNote, async (request) => {
      const issue = await issueOf(request, request.params.issue_iid);
      await commands.remove(request, issue, await noteOf(request, issue, request.params));
      return noContent();
    }),
  ];
}
