import { GroupDeleted } from '@forgelog/contracts/admin/groups/group.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  type GroupWikiPageEvent,
  groupWikiPageEvents,
} from '@forgelog/contracts/repo/wikis/group-wiki-page.events.ts';
import { type WikiPageEvent, wikiPageEvents } from '@forgelog/contracts/repo/wikis/wiki-page.events.ts';
import { wikiPageLifetime } from '@forgelog/contracts/repo/wikis/wiki-page.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

const withItsPlace = [
  endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
  endsWith(GroupDeleted, ({ groupId }) => eq('groupId', groupId)),
];

export const wikiPages = defineCollection({
  name: 'wiki_pages',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer?',
    groupId: 'integer?',
    slug: 'text',
    format: 'text',
    updatedAt: 'text',
  },
  indexes: [
    ['projectId', 'slug'],
    ['groupId', 'slug'],
  ],
  holds: { lifetime: wikiPageLifetime },
  ownedBy: withItsPlace,
});

export type WikiPageRow = DocumentOf<typeof wikiPages>;

/** Texts apart from their pages, since lists show none unless they are asked for. Searches go by them. */
export const wikiTexts = defineCollection({
  name: 'wiki_texts',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer?',
    groupId: 'integer?',
    slug: 'text',
    content: 'text',
    createdAt: 'text',
  },
  indexes: [['projectId', 'createdAt'], ['groupId', 'createdAt'], ['createdAt']],
  words: ['slug', 'content'],
  ownedBy: withItsPlace,
});

export const wikiPagesProjection = defineProjection<WikiPageEvent | GroupWikiPageEvent>({
  name: 'wiki-pages',
  collections: [wikiPages, wikiTexts],
  handles: [...wikiPageEvents, ...groupWikiPageEvents].map(({ type }) => type),
  async project(event, documents) {
    const { data, time: updatedAt } = event;
    const id = data.wikiPageId;
    if ('slug' in data) {
      const { slug, format, content } = data;
      const place = {
        projectId: 'projectId' in data ? data.projectId : null,
        groupId: 'groupId' in data ? data.groupId : null,
      };
      documents.put(wikiPages, { id, ...place, slug, format, updatedAt });
      return documents.put(wikiTexts, { id, ...place, slug, content, createdAt: event.time });
    }
    const row = await documents.get(wikiPages, id);
    const text = await documents.get(wikiTexts, id);
    if (!row || !text) return;
    if ('changes' in data) {
      documents.put(wikiTexts, { ...text, slug: data.changes.slug ?? text.slug });
      return documents.put(wikiPages, { ...row, ...data.changes, updatedAt });
    }
    if ('content' in data) {
      documents.put(wikiPages, { ...row, updatedAt });
      return documents.put(wikiTexts, { ...text, content: data.content });
    }
    documents.delete(wikiPages, id);
    documents.delete(wikiTexts, id);
  },
});
