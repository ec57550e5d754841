import type { GroupWikiPageEvent } from '@forgelog/contracts/repo/wikis/group-wiki-page.events.ts';
import type { WikiPageEvent } from '@forgelog/contracts/repo/wikis/wiki-page.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { projectDeleted } from '@forgelog/testing/sample-events.ts';
import { test } from 'vitest';
import { wikiPages, wikiPagesProjection, wikiTexts } from './wiki-pages.projection.ts';

const ids = { wikiPageId: 4, projectId: 7, author: null };
const created: WikiPageEvent = {
  type: 'WikiPageCreated',
  data: { ...ids, slug: 'a/Crank', format: 'markdown', content: 'Turn it.' },
};
const moved: WikiPageEvent = {
  type: 'WikiPageUpdated',
  data: { ...ids, changes: { slug: 'Handle' }, previous: { slug: 'a/Crank' } },
};
const written: WikiPageEvent = { type: 'WikiPageTextCommitted', data: { ...ids, content: 'Twice.' } };

test('a page is where it was moved to, with the text that was written last', async () => {
  const page = givenEvents(wikiPagesProjection, created, written, moved);
  await page.thenDocuments(wikiPages, [{ id: 4, projectId: 7, slug: 'Handle', format: 'markdown' }]);
  await page.thenDocuments(wikiTexts, [{ id: 4, content: 'Twice.' }]);
});

test('it ends with its project, and its text with it', async () => {
  const deleted: WikiPageEvent = { type: 'WikiPageDeleted', data: ids };
  for (const ended of [deleted, projectDeleted(7).event])
    for (const collection of [wikiPages, wikiTexts])
      await givenEvents(wikiPagesProjection, created, ended, written).thenDocuments(collection, []);
});

test('a page of a group ends with the group', async () => {
  const page = { wikiPageId: 5, groupId: 9, author: null };
  const made: GroupWikiPageEvent = {
    type: 'GroupWikiPageCreated',
    data: { ...page, slug: 'Crank', format: 'org', content: 'Turn it.' },
  };
  const written: GroupWikiPageEvent = {
    type: 'GroupWikiPageTextCommitted',
    data: { ...page, content: 'Twice.' },
  };
  const there = givenEvents(wikiPagesProjection, created, made, written);
  await there.thenDocuments(wikiPages, [
    { id: 4, groupId: null },
    { id: 5, projectId: null, groupId: 9 },
  ]);
  await there.thenDocuments(wikiTexts, [{ id: 4 }, { id: 5, groupId: 9, content: 'Twice.' }]);
  const ended = { type: 'GroupDeleted', data: { groupId: 9 } };
  await givenEvents(wikiPagesProjection, created, made, ended).thenDocuments(wikiPages, [{ id: 4 }]);
});
