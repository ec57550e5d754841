import { createHash } from 'node:crypto';
import type { AnswerOf } from '@forgelog/contracts/operation.ts';
import { findDiffLine, followLines } from '@forgelog/contracts/repo/diff-lines/diff-line.operations.ts';
import { implementOperation } from '@forgelog/service-kit/operations.ts';
import { defineSlice } from '@forgelog/service-kit/slice.ts';
import { on, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { afterEach, expect, test } from 'vitest';
import {
  ticketDiscussions as endpoints,
  ticketDiff,
  ticketEvents,
  ticketNotes,
  ticketSlice,
  ticketTarget,
} from '../testing/ticket.target.ts';
import { discussionSlice } from './discussion.slice.ts';

const onTicket = { id: 7, ticket_iid: 1 };
const sha = (digit: string) => digit.repeat(40);
const [BASE, HEAD, NEXT_BASE, NEXT] = [sha('a'), sha('b'), sha('c'), sha('d')];

/**
 * In place of the repository: `f` has 9 lines, and the diff from BASE to HEAD adds line 5. From HEAD to NEXT it is
 * renamed to `g`, a line comes first and line 2 changes; from BASE to NEXT_BASE a line comes first, and line 2 goes.
 */
const repository = defineSlice({
  operations: [
    () => [
      implementOperation(
        findDiffLine,
        async ({
          request: { fromSha, toSha, oldPath, newPath, ...line },
        }): Promise<AnswerOf<typeof findDiffLine>> => {
          if (fromSha !== BASE || toSha !== HEAD) return { refused: 'no commit' };
          if (oldPath !== 'f' || newPath !== 'f') return { refused: 'no file' };
          const { oldLine, newLine } = line;
          if (oldLine === null && newLine === 5)
            return { kind: 'added', oldLine: 5, newLine: 5, oldPath, newPath, text: 'five' };
          if (oldLine !== null && newLine === oldLine + (oldLine < 5 ? 0 : 1))
            return { kind: 'unchanged', oldLine, newLine, oldPath, newPath, text: 'x' };
          return { refused: 'no line' };
        },
      ),
      implementOperation(followLines, async ({ request: { fromSha, lines } }) => ({
        lines: lines.map(({ line }) =>
          line === 2 ? null : { path: fromSha === HEAD ? 'g' : 'f', line: line + 1 },
        ),
      })),
    ],
  ],
});

afterEach(() => {
  ticketDiff.newest = undefined;
});

async function started() {
  const { call } = await startSlices(
    [ticketSlice, discussionSlice([ticketTarget]), repository],
    [
      userCreated(1),
      projectCreated(7, { visibility: 'public' }),
      on('ticket-7-1', {
        type: 'TicketOpened',
        data: { ticketId: 71, projectId: 7, iid: 1, authorId: 1, title: 'Ticket' },
      }),
    ],
    { events: ticketEvents },
  );
  const comment = (position: object, more: object = {}) =>
    call(
      endpoints.start,
      {
        ...{ ...onTicket, body: 'Why?', ...more },
        position: {
          ...{ base_sha: BASE, start_sha: BASE, head_sha: HEAD, position_type: 'text', new_path: 'f' },
          ...position,
        },
      },
      1,
    );
  const shown = async (discussionId: string) =>
    (await call(endpoints.get, { ...onTicket, discussion_id: discussionId }, null)).body.notes;
  return { call, comment, shown };
}

test('a thread on a line keeps its position, and replies have it as well', async () => {
  const { call, comment, shown } = await started();
  const { status, body, events } = await comment({ new_line: 5 }, { commit_id: HEAD });
  expect(status).toBe(201);
  const position = {
    ...{ base_sha: BASE, start_sha: BASE, head_sha: HEAD, position_type: 'text', line_range: null },
    ...{ old_path: 'f', new_path: 'f', old_line: null, new_line: 5 },
  };
  expect(body.notes).toMatchObject([{ type: 'DiffNote', resolvable: true, commit_id: HEAD, position }]);
  const code = `${createHash('sha1').update('f').digest('hex')}_5_5`;
  expect(events).toMatchObject([{ data: { position: { newLine: 5, oldLine: null, lineCode: code } } }]);
  await call(endpoints.reply, { ...onTicket, discussion_id: body.id, body: 'So.' }, 1);
  expect(await shown(body.id)).toMatchObject([
    { type: 'DiffNote', position },
    { type: 'DiffNote', position, commit_id: HEAD },
  ]);
  expect((await call(ticketNotes.list, onTicket, null)).body).toMatchObject([{ position }, { position }]);
  expect((await call(ticketNotes.create, { ...onTicket, body: 'Hm' }, 1)).body).not.toHaveProperty(
    'position',
  );
});

test('a position that the diff does not have is refused, and changes nothing', async () => {
  const { comment } = await started();
  const positions = [
    ...[{ new_line: 6 }, { old_line: 5 }, {}, { new_line: 5, new_path: 'h' }, { new_line: 5, new_path: '' }],
    ...[
      { new_line: 5, head_sha: NEXT },
      { new_line: 5, base_sha: 'main' },
    ],
    ...[{ position_type: 'image', new_path: 'h', x: 1, y: 1, width: 5, height: 5 }],
    ...[{ position_type: 'image', x: 9, y: 1, width: 5, height: 5 }, { position_type: 'image' }],
  ];
  for (const position of positions) {
    const { status, body, events } = await comment(position);
    expect([position, status, events]).toEqual([position, 400, []]);
    expect(body.message).toMatch(/^400 Bad request - Note \{:(line_code|position)=>/);
  }
});

test('several lines and points of images are kept', async () => {
  const { comment } = await started();
  const end = (line_code: string, type: string, old_line: number) => ({ line_code, type, old_line });
  const line_range = { start: end('f_1_1', 'new', 1), end: end('f_5_5', 'old', 4) };
  const several = await comment({ old_line: 4, new_line: 4, line_range });
  expect(several.body.notes[0].position.line_range).toEqual({
    start: { ...line_range.start, new_line: null },
    end: { ...line_range.end, new_line: null },
  });
  const point = { x: 3, y: 4, width: 10, height: 20 };
  const image = await comment({ position_type: 'image', ...point });
  expect(image.body.notes[0].position).toMatchObject({ position_type: 'image', new_line: null, ...point });
});

test('a position stays at its line when the code moves, and keeps its beginning when the line goes', async () => {
  const { comment, shown } = await started();
  const added = (await comment({ new_line: 5 })).body.id;
  const unchanged = (await comment({ old_line: 7, new_line: 8 })).body.id;
  const changed = (await comment({ old_line: 2, new_line: 2 })).body.id;
  ticketDiff.newest = { baseSha: NEXT_BASE, startSha: NEXT_BASE, headSha: NEXT };
  const newest = { base_sha: NEXT_BASE, head_sha: NEXT, new_path: 'g' };
  expect(await shown(added)).toMatchObject([{ position: { ...newest, old_line: null, new_line: 6 } }]);
  expect(await shown(unchanged)).toMatchObject([{ position: { ...newest, old_line: 8, new_line: 9 } }]);
  expect(await shown(changed)).toMatchObject([{ position: { head_sha: HEAD, old_line: 2, new_line: 2 } }]);
  ticketDiff.newest = { baseSha: BASE, startSha: BASE, headSha: HEAD };
  expect(await shown(added)).toMatchObject([{ position: { head_sha: HEAD, new_line: 5 } }]);
});
