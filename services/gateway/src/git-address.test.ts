import { expect, test } from 'vitest';
import { readGitAddress, readSnippetPath, readWikiPath } from './git-address.ts';

const FETCH = 'service=git-upload-pack';

test.each([
  ['/a/b.git/info/refs', FETCH, { kind: 'advertise', project: 'a/b', service: 'git-upload-pack' }],
  ['/a/b/c.git/info/refs', '', { kind: 'advertise', project: 'a/b/c', service: null }],
  ['/a/b.git/info/refs', 'service=git-upload-archive', { kind: 'advertise', project: 'a/b', service: null }],
  ['/a/b.git/git-receive-pack', '', { kind: 'exchange', project: 'a/b', service: 'git-receive-pack' }],
  ['/a/b%2Ec.git/git-upload-pack', '', { kind: 'exchange', project: 'a/b.c', service: 'git-upload-pack' }],
  ['/a.wiki.git/info/refs', FETCH, { kind: 'advertise', project: 'a.wiki', service: 'git-upload-pack' }],
  ['/a.wiki/info/refs', FETCH, { kind: 'redirect', to: `/a.wiki.git/info/refs?${FETCH}` }],
  ['/a/b.git/HEAD', '', { kind: 'dumb' }],
  ['/a/b.git/objects/info/packs', '', { kind: 'dumb' }],
  ['/a/b/info/refs', FETCH, { kind: 'redirect', to: `/a/b.git/info/refs?${FETCH}` }],
  [
    '/a/b/info/refs',
    `private_token=x&${FETCH}&sudo[]=1`,
    { kind: 'redirect', to: `/a/b.git/info/refs?${FETCH}` },
  ],
  ['/a/b/info/refs', 'service=private_token', { kind: 'redirect', to: '/a/b.git/info/refs' }],
  ['/a/b/git-upload-pack', 'private_token=x', { kind: 'redirect', to: '/a/b.git/git-upload-pack' }],
])('%s?%s', (path, search, expected) => {
  expect(readGitAddress(path, search)).toEqual(expected);
});

test.each([
  '/api/v4/a/info/refs',
  '/-/a/b.git/info/refs',
  '/a.git/info/refs',
  '//evil.example/a/info/refs',
  '//evil.example.wiki/info/refs',
  '/%2fevil.wiki/info/refs',
  '/a//b.git/info/refs',
  '/a/b%.git/info/refs',
  '/a/b:c.git/info/refs',
  '/a/b.git/config',
  '/a/b.git/info/refs/',
])('%s is none of git', (path) => {
  expect(readGitAddress(path, FETCH)).toBeNull();
});

test.each([
  ['snippets/12', { project: null, snippetId: 12 }],
  ['a/b/snippets/12', { project: 'a/b', snippetId: 12 }],
  ['a/snippets/snippets/1', { project: 'a/snippets', snippetId: 1 }],
  ['snippets/0', null],
  ['snippets/012', null],
  ['a/snippets/x', null],
  ['a/snippets/1/2', null],
  ['my-snippets/1', null],
])('the repository of %s', (path, expected) => {
  expect(readSnippetPath(path)).toEqual(expected);
});

test.each([
  ['a/b.wiki', 'a/b'],
  ['a.wiki', 'a'],
  ['a/b.wiki.wiki', 'a/b.wiki'],
  ['.wiki', null],
  ['a/b.wiki/c', null],
  ['a/bwiki', null],
])('the wiki of %s', (path, expected) => {
  expect(readWikiPath(path)).toBe(expected);
});
