import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { type WikiPageEvent, wikiPageEvents } from '@forgelog/contracts/repo/wikis/wiki-page.events.ts';
import { wikiPageLifetime } from '@forgelog/contracts/repo/wikis/wiki-page.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

const withItsProject = [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))];

export const wikiPages = defineCollection({
  name: 'wiki_pages',
  key: 'id',
  fields: { id: 'integer', projectId: 'integer', slug: 'text', format: 'text', updatedAt: 'text' },
  indexes: [['projectId', 'slug']],
  holds: { lifetime: wikiPageLifetime },
  ownedBy: withItsProject,
});

export type WikiPageRow = DocumentOf<typeof wikiPages>;

/** Texts apart from their pages, since lists show none unless they are asked for. Searches go by them. */
export const wikiTexts = defineCollection({
  name: 'wiki_texts',
  key: 'id',
  fields: { id: 'integer', projectId: 'integer', slug: 'text', content: 'text', createdAt: 'text' },
  indexes: [['projectId', 'createdAt'], ['createdAt']],
  words: ['slug', 'content'],
  ownedBy: withItsProject,
});

export const wikiPagesProjection = defineProjection<WikiPageEvent>({
  name: 'wiki-pages',
  collections: [wikiPages, wikiTexts],
  handles: wikiPageEvents.map(({ type }) => type),
  async project(event, documents) {
    const { wikiPageId: id, projectId } = event.data;
    const updatedAt = event.time;
    if (event.type === 'WikiPageCreated') {
      const { slug, format, content } = event.data;
      documents.put(wikiPages, { id, projectId, slug, format, updatedAt });
      return documents.put(wikiTexts, { id, projectId, slug, content, createdAt: event.time });
    }
    const row = await documents.get(wikiPages, id);
    const text = await documents.get(wikiTexts, id);
    if (!row || !text) return;
    switch (event.type) {
      case 'WikiPageUpdated':
        documents.put(wikiTexts, { ...text, slug: event.data.changes.slug ?? text.slug });
        return documents.put(wikiPages, { ...row, ...event.data.changes, updatedAt });
      case 'WikiPageTextCommitted':
        documents.put(wikiPages, { ...row, updatedAt });
        return documents.put(wikiTexts, { ...text, content: event.data.content });
      case 'WikiPageDeleted':
        documents.delete(wikiPages, id);
        return documents.delete(wikiTexts, id);
      default:
        event satisfies never;
    }
  },
});
