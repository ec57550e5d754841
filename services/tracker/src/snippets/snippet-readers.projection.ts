import type { EventOf } from '@forgelog/contracts/event.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import {
  SnippetCreated,
  SnippetDeleted,
  SnippetUpdated,
} from '@forgelog/contracts/repo/snippets/snippet.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

const told = [SnippetCreated, SnippetUpdated, SnippetDeleted] as const;

/** What says who may discuss a snippet of a project; personal ones are not discussed. */
export const snippetReaders = defineCollection({
  name: 'snippet_readers',
  key: 'id',
  fields: { id: 'integer', projectId: 'integer', authorId: 'integer', visibility: 'text' },
  indexes: [['projectId']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export const snippetReadersProjection = defineProjection<EventOf<(typeof told)[number]>>({
  name: 'snippet_readers',
  collections: [snippetReaders],
  handles: told.map(({ type }) => type),
  async project(event, documents) {
    const { snippetId: id, projectId, authorId } = event.data;
    if (projectId === null) return;
    switch (event.type) {
      case 'SnippetCreated':
        return documents.put(snippetReaders, { id, projectId, authorId, visibility: event.data.visibility });
      case 'SnippetUpdated': {
        const { visibility } = event.data.changes;
        if (visibility) documents.put(snippetReaders, { id, projectId, authorId, visibility });
        return;
      }
      case 'SnippetDeleted':
        return documents.delete(snippetReaders, id);
      default:
        event satisfies never;
    }
  },
});
