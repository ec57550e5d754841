import type { SnippetEvent } from '@forgelog/contracts/repo/snippets/snippet.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { snippetFiles, snippets, snippetsProjection } from './snippets.projection.ts';

const of = (projectId: number | null) => ({ snippetId: 4, projectId, authorId: 5 });
const created = (projectId: number | null = 7): SnippetEvent => ({
  type: 'SnippetCreated',
  data: {
    ...{ ...of(projectId), title: 'Counting', description: null, visibility: 'private' },
    files: [
      { path: 'a', content: 'A' },
      { path: 'b', content: 'B' },
    ],
    author: null,
  },
});
const committed: SnippetEvent = {
  type: 'SnippetFilesCommitted',
  data: {
    ...{ ...of(7), author: null, pushed: null },
    files: [
      { action: 'move', path: 'c', previousPath: 'a', content: null },
      { action: 'delete', path: 'b', previousPath: null, content: null },
      { action: 'create', path: 'a', previousPath: null, content: 'new' },
    ],
  },
};

test('a snippet has its texts by path, as the last event left them', async () => {
  await givenEvents(snippetsProjection, created()).thenDocuments(snippets, [{ paths: ['a', 'b'] }]);
  await givenEvents(snippetsProjection, created(), committed).thenDocuments(snippets, [
    { paths: ['c', 'a'] },
  ]);
  await givenEvents(snippetsProjection, created(), committed).thenDocuments(snippetFiles, [
    { key: '4 a', content: 'new' },
    { key: '4 c', content: 'A' },
  ]);
});

test('it ends with its project, a personal one with its author, and its texts with it', async () => {
  const deleted: SnippetEvent = { type: 'SnippetDeleted', data: of(7) };
  const authorDeleted = { type: 'UserDeleted', data: { userId: 5 } };
  for (const ended of [deleted, projectDeleted(7).event])
    for (const collection of [snippets, snippetFiles])
      await givenEvents(snippetsProjection, created(), ended).thenDocuments(collection, []);
  await givenEvents(snippetsProjection, created(), authorDeleted).thenDocuments(snippets, [{ id: 4 }]);
  for (const collection of [snippets, snippetFiles])
    await givenEvents(snippetsProjection, created(null), authorDeleted).thenDocuments(collection, []);
});
