import type { GroupWikiPageEvent } from '@forgelog/contracts/repo/wikis/group-wiki-page.events.ts';
import { MOST_WIKI_PAGES } from '@forgelog/contracts/repo/wikis/wiki-page.api.ts';
import type { WikiPageEvent } from '@forgelog/contracts/repo/wikis/wiki-page.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type WikiCommand, wikiDecider } from './wiki.decider.ts';

const ids = { projectId: 7, wikiPageId: 4 };
const place = { projectId: 7, groupId: null, wikiPageId: 4 } as const;
const mostBytes = 1024;
const create = (title: string, more: { content?: string; wikiPageId?: number } = {}): WikiCommand => ({
  ...{ type: 'CreateWikiPage', ...place, title, content: 'Turn it.', format: 'markdown', mostBytes, ...more },
});
const created = (slug: string, wikiPageId = 4): WikiPageEvent => ({
  type: 'WikiPageCreated',
  data: { projectId: 7, wikiPageId, slug, format: 'markdown', content: 'Turn it.' },
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
  const group = { groupId: 9, wikiPageId: 4 };
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
