import { defineRecords, type Part, text, whole } from '../table.ts';

export const wikiPages: Part = {
  events: { WikiPageCreated: 1, WikiPageUpdated: 1, WikiPageTextCommitted: 1, WikiPageDeleted: 1 },
  records: [
    defineRecords({
      kind: 'WikiPage',
      name: 'wiki_pages',
      about: 'Pages of the wikis of projects; their texts are in the events alone.',
      key: ['wiki_page_id'],
      columns: {
        wiki_page_id: whole('wikiPageId', 'Id of the page.'),
        project_id: whole('projectId', 'Id of the project.'),
        slug: text('slug', 'Folders and title, with hyphens for spaces.'),
        format: text('format', '`markdown`, `rdoc`, `asciidoc` or `org`.'),
      },
      compare: {
        select: 'SELECT project_id, slug, format FROM wiki_pages WHERE ended_at IS NULL',
        key: ['project_id', 'slug'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const { slug, format } of api.list(`/projects/${project.id}/wikis`))
              yield { project_id: project.id, slug, format };
        },
      },
    }),
  ],
};
