import { MOST_SNIPPET_BYTES, MOST_SNIPPET_FILES } from '@forgelog/contracts/repo/snippets/snippet.api.ts';
import type { SnippetEvent } from '@forgelog/contracts/repo/snippets/snippet.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type SnippetCommand, snippetDecider, type WantedFiles } from './snippet.decider.ts';
import type { FileAction } from './snippet-files.rules.ts';

const author = { name: 'Ann', email: 'ann@example.org' };
const ids = { snippetId: 4, projectId: 7, authorId: 5 };
const attributes = { title: 'Counting', description: null, visibility: 'private' } as const;
const file = (path: string, content = path): FileAction => ({ action: 'create', file_path: path, content });
const create = (files: readonly FileAction[], more = {}): SnippetCommand => ({
  ...{ type: 'CreateSnippet', ...ids, attributes: { ...attributes, ...more }, files, author },
});
const created = (...paths: string[]): SnippetEvent => ({
  type: 'SnippetCreated',
  data: { ...ids, ...attributes, files: paths.map((path) => ({ path, content: path })), author },
});
const update = (files: WantedFiles, changes = {}): SnippetCommand => ({
  ...{ type: 'UpdateSnippet', ...ids, changes, files, author },
});
const none: WantedFiles = { actions: [] };
const refused = (reason: string) => ['bad_request', { message: `400 Bad request - ${reason}` }] as const;

test('a snippet has files with safe names, and one without a name gets one', () => {
  given(snippetDecider)
    .when(create([file('a//b.py', 'b'), { action: 'create', content: 'c' }]))
    .thenEvents({
      type: 'SnippetCreated',
      data: {
        ...{ ...ids, ...attributes },
        files: [
          { path: 'a/b.py', content: 'b' },
          { path: 'snippetfile1.txt', content: 'c' },
        ],
        author,
      },
    });
});

test('what is wrong with files is said of the first that does not fit', () => {
  const wrong: [FileAction[], string][] = [
    [[file('../x')], 'file_path is invalid: ../x'],
    [[file('.git/config')], 'file_path is invalid: .git/config'],
    [[file('a'), file('a')], 'A file with this name already exists: a'],
    [[file('a'), file('a/b')], 'a is a file and a folder'],
    [[file('a', '')], 'content of a is empty'],
    [[], 'A snippet has at least one file'],
    [
      Array.from({ length: MOST_SNIPPET_FILES + 1 }, (_, at) => file(`${at}`)),
      `A snippet has ${MOST_SNIPPET_FILES} files at most`,
    ],
    [
      [file('a', 'x'.repeat(MOST_SNIPPET_BYTES)), file('b')],
      `A snippet has ${MOST_SNIPPET_BYTES} bytes at most`,
    ],
  ];
  for (const [files, reason] of wrong)
    given(snippetDecider)
      .when(create(files))
      .thenRejected(...refused(reason));
});

test('files are written, moved and removed in one event, and what stays as it is is none', () => {
  given(snippetDecider, created('a', 'b'))
    .when(
      update({
        actions: [
          { action: 'update', file_path: 'a', content: 'A' },
          { action: 'move', file_path: 'c', previous_path: 'b' },
          { action: 'create', file_path: 'd', content: 'D' },
          { action: 'delete', file_path: 'd' },
        ],
      }),
    )
    .thenEvents({
      type: 'SnippetFilesCommitted',
      data: {
        ...ids,
        files: [
          { action: 'update', path: 'a', previousPath: null, content: 'A' },
          { action: 'move', path: 'c', previousPath: 'b', content: null },
          { action: 'create', path: 'd', previousPath: null, content: 'D' },
          { action: 'delete', path: 'd', previousPath: null, content: null },
        ],
        ...{ author, pushed: null },
      },
    });
  given(snippetDecider, created('a'))
    .when(update({ actions: [{ action: 'update', file_path: 'a', content: 'a' }] }))
    .thenEvents();
  given(snippetDecider, created('a'))
    .when(update({ actions: [{ action: 'delete', file_path: 'a' }] }))
    .thenRejected(...refused('A snippet has at least one file'));
  given(snippetDecider, created('a'))
    .when(update({ actions: [{ action: 'move', file_path: 'b', previous_path: 'x' }] }))
    .thenRejected(...refused("A file with this name doesn't exist: x"));
});

test('the only file is changed by name and text, one of several is not', () => {
  const path = 'b';
  given(snippetDecider, created('a'))
    .when(update({ path, content: undefined }, { title: 'Adding' }))
    .thenEvents(
      {
        type: 'SnippetUpdated',
        data: { ...ids, changes: { title: 'Adding' }, previous: { title: 'Counting' } },
      },
      {
        type: 'SnippetFilesCommitted',
        data: {
          ...{ ...ids, author, pushed: null },
          files: [{ action: 'move', path, previousPath: 'a', content: null }],
        },
      },
    );
  given(snippetDecider, created('a', 'b'))
    .when(update({ path: undefined, content: 'x' }))
    .thenRejected(...refused('To update Snippets with multiple files, you must use the `files` parameter'));
});

test('a title is there and short, and a snippet ends once', () => {
  const blank = ['validation_failed', { message: { title: ["can't be blank"] } }] as const;
  given(snippetDecider)
    .when(create([file('a')], { title: ' ' }))
    .thenRejected(...blank);
  given(snippetDecider, created('a'))
    .when(update(none, { title: '' }))
    .thenRejected(...blank);
  const remove: SnippetCommand = { type: 'DeleteSnippet', ...ids };
  const deleted: SnippetEvent = { type: 'SnippetDeleted', data: ids };
  given(snippetDecider, created('a')).when(remove).thenEvents(deleted);
  given(snippetDecider, created('a'), deleted).when(remove).thenRejected('record_not_found');
});

test('a push is an event for each of its commits, or nothing at all', () => {
  const push = (...commits: { pushed: string; actions: FileAction[] }[]): SnippetCommand => ({
    ...{ type: 'PushSnippet', ...ids, commits },
  });
  const first = { pushed: 'first', actions: [file('b')] };
  const second: typeof first = { pushed: 'second', actions: [{ action: 'delete', file_path: 'a' }] };
  const pushed = (name: string, action: 'create' | 'delete', path: string, content: string | null) => ({
    type: 'SnippetFilesCommitted' as const,
    data: { ...ids, files: [{ action, path, previousPath: null, content }], author: null, pushed: name },
  });
  given(snippetDecider, created('a'))
    .when(push(first, second, { pushed: 'empty', actions: [] }))
    .thenEvents(pushed('first', 'create', 'b', 'b'), pushed('second', 'delete', 'a', null), {
      type: 'SnippetFilesCommitted',
      data: { ...ids, files: [], author: null, pushed: 'empty' },
    });
  given(snippetDecider, created('a'))
    .when(push(first, second, { pushed: 'third', actions: [{ action: 'delete', file_path: 'b' }] }))
    .thenRejected(...refused('A snippet has at least one file'));
});
