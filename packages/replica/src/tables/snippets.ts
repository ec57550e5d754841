import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const snippets: Part = {
  events: { SnippetCreated: 2, SnippetUpdated: 1, SnippetFilesCommitted: 2, SnippetDeleted: 1 },
  records: [
    defineRecords({
      kind: 'Snippet',
      name: 'snippets',
      about: 'Files of people and of projects, to show around; their texts are in the events alone.',
      key: ['snippet_id'],
      columns: {
        snippet_id: whole('snippetId', 'Id of the snippet.'),
        project_id: reference('projectId', 'Id of the project; null for a personal one.'),
        author_id: whole('authorId', 'Id of the author.'),
        title: text('title', 'The title.'),
        description: text('description', 'What it shows, in Markdown; null if not given.'),
        visibility: text('visibility', '`private`, `internal` or `public`.'),
      },
      compare: {
        select: 'SELECT * FROM snippets WHERE ended_at IS NULL AND project_id IS NOT NULL',
        key: ['snippet_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const snippet of api.list(`/projects/${project.id}/snippets`)) {
              const { id, project_id, title, description, visibility, author } = snippet;
              yield { snippet_id: id, project_id, title, description, visibility, author_id: author?.id };
            }
        },
      },
    }),
  ],
};
