import { Rejection } from '@forgelog/contracts/errors.ts';
import { describeCommits } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import {
  createCommitComment,
  listCommitComments,
} from '@forgelog/contracts/tracker/commit-comments/commit-comment.api.ts';
import type { GivenPosition } from '@forgelog/contracts/tracker/discussions/position.params.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { notes } from '../discussions/discussions.collection.ts';
import { requireNote } from '../discussions/note.access.ts';
import { noteCommands } from '../discussions/note.commands.ts';
import { NO_COMMIT } from '../discussions/position.rules.ts';
import { shownPositions } from '../discussions/shown-positions.ts';
import { commitCommentJson } from './commit-comment.view.ts';
import { type DiscussedCommit, discussedCommits, requireCommit } from './discussed-commits.ts';

const NO_POINT = { line_range: undefined, width: undefined, height: undefined, x: undefined, y: undefined };

/** Comments on commits: the notes of their discussions, in their older form. */
export function commitCommentRoutes(ports: ServicePorts): Implementation[] {
  const { readStore, operations } = ports;
  const commands = noteCommands(ports, discussedCommits);
  const withPositions = shownPositions(ports, discussedCommits);
  const view = commitCommentJson.renderer(ports);

  /** The line of what the commit changed against its first parent. */
  async function positionOf(
    { projectId, sha }: DiscussedCommit,
    { params: { path, line, line_type: side }, principal }: ApiRequest<typeof createCommitComment>,
  ): Promise<GivenPosition | undefined> {
    if (!path) return undefined;
    if (line === undefined) throw new Rejection('invalid_parameters', { problems: ['line is missing'] });
    const { commits } = await operations.call(describeCommits, { projectId, shas: [sha] }, { principal });
    const parent = commits[0]?.parentIds[0] ?? NO_COMMIT;
    return {
      ...{ base_sha: parent, start_sha: parent, head_sha: sha, position_type: 'text' },
      ...{ old_path: path, new_path: path },
      new_line: side === 'new' ? line : undefined,
      old_line: side === 'old' ? line : undefined,
      ...NO_POINT,
    };
  }

  return [
    implement(listCommitComments, async (request) => {
      const { page, principal } = request;
      const commit = await requireCommit(ports, request);
      const { documents, next } = await pageOf(readStore, notes, {
        where: and(eq('noteable', commit.key), eq('system', false)),
        sort: [asc('createdAt')],
        page,
      });
      return { kind: 'list', items: view.list(await withPositions(commit, documents, principal)), next };
    }),

    implement(createCommitComment, async (request) => {
      const commit = await requireCommit(ports, request);
      const { noteId } = await commands.comment(request, commit, {
        ...{ body: request.params.note, individualNote: true, confidential: false },
        position: await positionOf(commit, request),
      });
      const note = await requireNote(ports, commit, noteId, request.principal);
      const [shown] = await withPositions(commit, [note], request.principal);
      return json(view.one(shown!));
    }),
  ];
}
