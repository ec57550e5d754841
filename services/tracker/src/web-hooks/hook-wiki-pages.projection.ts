import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { WikiPageEvent } from '@forgelog/contracts/repo/wikis/wiki-page.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** Names of pages, also of deleted ones: messages of a deletion tell them. */
export const hookWikiPages = defineCollection({
  name: 'hook_wiki_pages',
  key: 'id',
  fields: { id: 'integer', projectId: 'integer', slug: 'text', format: 'text' },
  indexes: [['projectId']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export const hookWikiPagesProjection = defineProjection<WikiPageEvent>({
  name: 'hook-wiki-pages',
  collections: [hookWikiPages],
  handles: ['WikiPageCreated', 'WikiPageUpdated'],
  async project(event, documents) {
    const { wikiPageId: id, projectId } = event.data;
    if (event.type === 'WikiPageCreated') {
      const { slug, format } = event.data;
      return documents.put(hookWikiPages, { id, projectId, slug, format });
    }
    const row = await documents.get(hookWikiPages, id);
    if (row && event.type === 'WikiPageUpdated')
      documents.put(hookWikiPages, { ...row, ...event.data.changes });
  },
});
