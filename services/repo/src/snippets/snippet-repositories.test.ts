import type { SnippetEvent } from '@forgelog/contracts/repo/snippets/snippet.events.ts';
import { on, userCreated } from '@forgelog/testing/sample-events.ts';
import { expect, test } from 'vitest';
import { startRepoSlices } from '../testing/start-repo-slices.ts';
import { snippetSlice } from './snippet.slice.ts';
import { createSnippetRepositories, SNIPPET_REF } from './snippet-repositories.ts';

const snippet = { id: 4, projectId: null, authorId: 1 };
const ids = { snippetId: 4, projectId: null, authorId: 1 };
const created: SnippetEvent = {
  type: 'SnippetCreated',
  data: {
    ...{ ...ids, title: 'Counting', description: null, visibility: 'private', author: null },
    files: [{ path: 'a.txt', content: 'A' }],
  },
};
const moved: SnippetEvent = {
  type: 'SnippetFilesCommitted',
  data: {
    ...{ ...ids, pushed: null, author: { name: 'Ann', email: 'ann@example.org' } },
    files: [{ action: 'move', path: 'b/c.txt', previousPath: 'a.txt', content: null }],
  },
};

test('the same events make the same commits, on every machine and in every version', async () => {
  const given = [userCreated(1), on('snippet-4', created), on('snippet-4', moved)];
  const clock = () => new Date('2030-01-01T00:00:00Z');
  const { repo } = await startRepoSlices([snippetSlice], given, clock);
  const { upToDate } = createSnippetRepositories(repo);
  const both = await Promise.all([upToDate(snippet), upToDate(snippet)]);
  const { repository } = both[0];
  expect(both.map(({ revision }) => revision)).toEqual([1, 1]);
  const head = await repository.readRef(SNIPPET_REF);
  expect(head).toBe('94b98da16e641ceedef2cf49925eca0ff3859156');
  const second = await repository.commit(head!);
  expect(second).toMatchObject({ author: { name: 'Ann', email: 'ann@example.org' } });
  // Events of 0.1.0 do not name their author.
  const [first] = second!.parentIds;
  expect((await repository.commit(first!))!.author).toMatchObject({
    ...{ name: 'User 1', email: 'user-1@users.noreply.invalid' },
  });
});
