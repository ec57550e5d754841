import { personalSnippets } from '@forgelog/contracts/repo/snippets/snippet.api.ts';
import {
  groupStorageMoves,
  projectStorageMoves,
  snippetStorageMoves,
} from '@forgelog/contracts/repo/storage-moves/storage-move.api.ts';
import { groupCreated, projectCreated, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { projectSlice } from '../projects/project.slice.ts';
import { snippetSlice } from '../snippets/snippet.slice.ts';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { storageMoveSlice } from './storage-move.slice.ts';

const [ADMIN, OWNER] = [1, 2];

async function started() {
  const given = [
    userCreated(ADMIN, { admin: true }),
    userCreated(OWNER),
    projectCreated(7),
    groupCreated(30, { fullPath: 'engines' }),
  ];
  return startRepoSlices([projectSlice, snippetSlice, storageMoveSlice], given);
}

const SAME = 'The source and the destination are the same storage';

test('moves are for administrators, and one storage has nowhere to move to', async () => {
  const { call } = await started();
  const one = { id: 7 };
  for (const as of [OWNER, null])
    expect((await call(projectStorageMoves.move, one, as)).status).toBe(as === null ? 401 : 403);
  const moved = await call(projectStorageMoves.move, one, ADMIN);
  expect(moved).toMatchObject({
    status: 201,
    body: {
      ...{ state: 'failed', error_message: SAME, source_storage_name: 'default' },
      project: { id: 7, path: 'project7', name: 'project7' },
    },
    events: [{ type: 'StorageMoveScheduled' }, { type: 'StorageMoveAdvanced' }],
  });
  const { id: repository_storage_move_id } = moved.body as { id: number };
  const move = { repository_storage_move_id };
  expect((await call(projectStorageMoves.getAny, move, ADMIN)).body).toEqual(moved.body);
  expect((await call(projectStorageMoves.get, { ...one, ...move }, ADMIN)).body).toEqual(moved.body);
  expect((await call(projectStorageMoves.list, one, ADMIN)).body).toEqual([moved.body]);
  expect((await call(projectStorageMoves.listAll, {}, ADMIN)).body).toEqual([moved.body]);
  // A move of another kind is not found by its number.
  expect((await call(snippetStorageMoves.getAny, move, ADMIN)).status).toBe(404);
  expect((await call(projectStorageMoves.move, { id: 70 }, ADMIN)).status).toBe(404);
  expect((await call(groupStorageMoves.list, { id: 7000 }, ADMIN)).status).toBe(404);
});

test('snippets and groups count on the default storage, and are shown with what was moved', async () => {
  const { call } = await started();
  const text = { file_name: 'a.py', content: 'print(1)' };
  const { body: snippet } = await call(personalSnippets.create, { title: 'Counting', ...text }, OWNER);
  const ofSnippet = await call(snippetStorageMoves.move, { id: (snippet as { id: number }).id }, ADMIN);
  expect(ofSnippet).toMatchObject({ status: 201, body: { snippet, source_storage_name: 'default' } });
  const ofGroup = await call(groupStorageMoves.move, { id: 30 }, ADMIN);
  expect(ofGroup).toMatchObject({
    status: 201,
    body: { group: { id: 30, web_url: expect.stringMatching(/\/groups\/group30$/) } },
  });
});

test('a storage is emptied by its name, and another name is refused', async () => {
  const { call } = await started();
  for (const endpoints of [projectStorageMoves, snippetStorageMoves, groupStorageMoves]) {
    const asked = await call(endpoints.moveAll, { source_storage_name: 'default' }, ADMIN);
    expect(asked).toMatchObject({ status: 202, events: [{ type: 'StorageMovesRequested' }] });
    expect(await call(endpoints.moveAll, { source_storage_name: 'third' }, ADMIN)).toMatchObject({
      status: 400,
      body: { error: 'source_storage_name does not have a valid value' },
    });
    expect(await call(endpoints.moveAll, {}, ADMIN)).toMatchObject({
      status: 400,
      body: { error: 'source_storage_name is missing' },
    });
  }
});
