import type { GroupWikiPageEvent } from '@forgelog/contracts/repo/wikis/group-wiki-page.events.ts';
import { MOST_WIKI_PAGES } from '@forgelog/contracts/repo/wikis/wiki-page.api.ts';
import type { WikiPageEvent } from '@forgelog/contracts/repo/wikis/wiki-page.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type WikiCommand, type WikiCommit, type WikiEvent, wikiDecider } from './wiki.decider.ts';

const author = { name: 'Ann', email: 'ann@example.org' };
const ids = { projectId: 7, wikiPageId: 4, author };
const place = { projectId: 7, groupId: null, wikiPageId: 4, author } as const;
const mostBytes = 1024;
const create = (title: string, more: { content?: string; wikiPageId?: number } = {}): WikiCommand => ({
  ...{ type: 'CreateWikiPage', ...place, title, content: 'Turn it.', format: 'markdown', mostBytes, ...more },
});
const created = (slug: string, wikiPageId = 4): WikiPageEvent => ({
  type: 'WikiPageCreated',
  data: { projectId: 7, wikiPageId, slug, format: 'markdown', content: 'Turn it.', author },
});
const update = (changes: { title?: string; content?: string; format?: 'org' }): WikiCommand => ({
  ...{ type: 'UpdateWikiPage', ...place, title: undefined, content: undefined, format: undefined },
  ...{ mostBytes, ...changes },
});
const invalid = (fields: Record<string, string[]>) => ['validation_failed', { message: fields }] as const;
const DUPLICATE = invalid({ base: ['Duplicate page: A page with that title already exists'] });

test('a page is created under the slug of its title, which no other page has', () => {
  given(wikiDecider).when(create('engines/The crank')).thenEvents(created('engines/The-crank'));
  given(wikiDecider, created('The-crank', 3))
    .when(create('The  crank'))
    .thenRejected(...DUPLICATE);
  given(wikiDecider, created('The-crank', 3), { type: 'WikiPageDeleted', data: { ...ids, wikiPageId: 3 } })
    .when(create('The crank'))
    .thenEvents(created('The-crank'));
});

test('all that is wrong is said at once', () => {
  given(wikiDecider)
    .when(create(' / ', { content: ' \n' }))
    .thenRejected(...invalid({ title: ["can't be blank"], content: ["can't be blank"] }));
  const content = ['is too long (1026 bytes). The maximum size is 1024 bytes.'];
  given(wikiDecider)
    .when(create('a', { content: 'é'.repeat(513) }))
    .thenRejected(...invalid({ content }));
  given(wikiDecider, created('a'))
    .when(update({ title: '../a', content: 'é'.repeat(513) }))
    .thenRejected(...invalid({ title: ['is invalid'], content }));
});

test('a wiki has a bound', () => {
  const full = Array.from({ length: MOST_WIKI_PAGES }, (_, at) => created(`page-${at}`, 10 + at));
  given(wikiDecider, ...full)
    .when(create('one more'))
    .thenRejected(...invalid({ base: [`A wiki has ${MOST_WIKI_PAGES} pages at most`] }));
});

test('a change moves the page, writes its text, or is none', () => {
  given(wikiDecider, created('a/Old'))
    .when(update({ title: 'New', content: 'Turn it twice.', format: 'org' }))
    .thenEvents(
      {
        type: 'WikiPageUpdated',
        data: {
          ...ids,
          changes: { slug: 'a/New', format: 'org' },
          previous: { slug: 'a/Old', format: 'markdown' },
        },
      },
      { type: 'WikiPageTextCommitted', data: { ...ids, content: 'Turn it twice.' } },
    );
  given(wikiDecider, created('a/Old'))
    .when(update({ title: 'Old', content: 'Turn it.' }))
    .thenEvents();
  const written: WikiPageEvent = { type: 'WikiPageTextCommitted', data: { ...ids, content: 'Twice.' } };
  given(wikiDecider, created('a'), written)
    .when(update({ content: 'Twice.' }))
    .thenEvents();
  given(wikiDecider, created('a'), created('b', 5))
    .when(update({ title: 'b' }))
    .thenRejected(...DUPLICATE);
});

test('a page ends once', () => {
  const remove: WikiCommand = { type: 'DeleteWikiPage', ...place };
  const deleted: WikiPageEvent = { type: 'WikiPageDeleted', data: ids };
  given(wikiDecider, created('a')).when(remove).thenEvents(deleted);
  for (const late of [remove, update({ content: 'x' })])
    given(wikiDecider, created('a'), deleted)
      .when(late)
      .thenRejected('not_found', { message: '404 Wiki Page Not Found' });
});

test('pages of a group have events of their own, by the same rules', () => {
  const group = { groupId: 9, wikiPageId: 4, author };
  const inGroup = { ...group, projectId: null } as const;
  const wanted = { title: 'Crank', content: 'Turn it.', format: 'markdown', mostBytes } as const;
  const event: GroupWikiPageEvent = {
    type: 'GroupWikiPageCreated',
    data: { ...group, slug: 'Crank', format: 'markdown', content: 'Turn it.' },
  };
  given(wikiDecider)
    .when({ type: 'CreateWikiPage', ...inGroup, ...wanted })
    .thenEvents(event);
  given(wikiDecider, event)
    .when({ type: 'CreateWikiPage', ...inGroup, wikiPageId: 5, ...wanted })
    .thenRejected(...DUPLICATE);
  given(wikiDecider, event)
    .when({
      type: 'UpdateWikiPage',
      ...inGroup,
      title: 'Handle',
      content: 'Twice.',
      format: undefined,
      mostBytes,
    })
    .thenEvents(
      {
        type: 'GroupWikiPageUpdated',
        data: { ...group, changes: { slug: 'Handle' }, previous: { slug: 'Crank' } },
      },
      { type: 'GroupWikiPageTextCommitted', data: { ...group, content: 'Twice.' } },
    );
  const deleted: GroupWikiPageEvent = { type: 'GroupWikiPageDeleted', data: group };
  given(wikiDecider, event)
    .when({ type: 'DeleteWikiPage', ...inGroup })
    .thenEvents(deleted);
  given(wikiDecider, event, deleted)
    .when({ type: 'DeleteWikiPage', ...inGroup })
    .thenRejected('not_found', { message: '404 Wiki Page Not Found' });
});

test('a push is a commit after the other, each with what it does with pages', () => {
  const data = { projectId: 7, author: null };
  const push = (...commits: WikiCommit[]): WikiCommand => ({
    ...{ type: 'PushWiki', projectId: 7, groupId: null, commits },
  });
  const text = { slug: 'Handle', format: 'markdown', content: 'Turn it.' } as const;
  const first: WikiCommit = {
    pushed: 'first',
    pages: [
      { wikiPageId: 4, action: 'delete' },
      { wikiPageId: 5, action: 'create', ...text },
    ],
    files: [{ path: 'crank.png', content: 'iVBORw==' }],
  };
  const second: WikiCommit = {
    pushed: 'second',
    pages: [{ wikiPageId: 5, action: 'update', slug: 'Home', content: 'Twice.' }],
    files: [{ path: 'crank.png', content: null }],
  };
  given(wikiDecider, created('Handle'))
    .when(push(first, second))
    .thenEvents(
      {
        type: 'WikiCommitPushed',
        data: { projectId: 7, pushed: 'first', pageEvents: 2, files: [...first.files] },
      },
      { type: 'WikiPageDeleted', data: { ...data, wikiPageId: 4 } },
      { type: 'WikiPageCreated', data: { ...data, wikiPageId: 5, ...text } },
      {
        type: 'WikiCommitPushed',
        data: { projectId: 7, pushed: 'second', pageEvents: 2, files: [...second.files] },
      },
      {
        type: 'WikiPageUpdated',
        data: { ...data, wikiPageId: 5, changes: { slug: 'Home' }, previous: { slug: 'Handle' } },
      },
      { type: 'WikiPageTextCommitted', data: { ...data, wikiPageId: 5, content: 'Twice.' } },
    );
  const again: WikiCommit = {
    ...{ pushed: 'third', files: [], pages: [{ wikiPageId: 6, action: 'create', ...text }] },
  };
  given(wikiDecider, created('Handle'))
    .when(push(again))
    .thenRejected(...DUPLICATE);
  const files = Array.from({ length: 1001 }, (_, at) => ({ path: `${at}.png`, content: '' }));
  given(wikiDecider)
    .when(push({ pushed: 'many', pages: [], files }))
    .thenRejected(...invalid({ base: ['A wiki has 1000 files that are no pages at most'] }));
});

test('a page takes the place of no pushed file', () => {
  const files = [
    { path: 'a', content: '' },
    { path: 'b.md/c', content: '' },
    { path: 'd.org', content: '' },
  ];
  const pushed: WikiEvent = {
    type: 'WikiCommitPushed',
    data: { projectId: 7, pushed: 'first', pageEvents: 0, files },
  };
  const taken = invalid({ base: ['Duplicate page: A file with that name is in the repository of the wiki'] });
  for (const title of ['a/x', 'b'])
    given(wikiDecider, pushed)
      .when(create(title))
      .thenRejected(...taken);
  given(wikiDecider, pushed, created('d'))
    .when(update({ format: 'org' }))
    .thenRejected(...taken);
  const removed: WikiEvent = {
    type: 'WikiCommitPushed',
    data: { projectId: 7, pushed: 'second', pageEvents: 0, files: [{ path: 'a', content: null }] },
  };
  given(wikiDecider, pushed, removed).when(create('a/x')).thenEvents(created('a/x'));
});
