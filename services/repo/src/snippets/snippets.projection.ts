import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { type SnippetEvent, snippetEvents } from '@forgelog/contracts/repo/snippets/snippet.events.ts';
import { snippetLifetime } from '@forgelog/contracts/repo/snippets/snippet.lifetime.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

export const snippets = defineCollection({
  name: 'snippets',
  key: 'id',
  fields: {
    id: 'integer',
    projectId: 'integer?',
    authorId: 'integer',
    title: 'text',
    description: 'text?',
    visibility: 'text',
    /** In the order in which they are shown. */
    paths: 'text[]',
    createdAt: 'text',
    updatedAt: 'text',
    /** From where it was made. */
    userAgent: 'text?',
    clientAddress: 'text?',
  },
  indexes: [
    ['projectId', 'id'],
    ['authorId', 'id'],
    ['visibility', 'id'],
  ],
  words: ['title', 'description'],
  holds: { lifetime: snippetLifetime },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(UserDeleted, ({ userId }) => and(eq('projectId', null), eq('authorId', userId))),
  ],
});

export type SnippetRow = DocumentOf<typeof snippets>;

/** Texts apart from their snippets, since lists show none. */
export const snippetFiles = defineCollection({
  name: 'snippet_files',
  key: 'key',
  fields: {
    key: 'text',
    snippetId: 'integer',
    projectId: 'integer?',
    authorId: 'integer',
    content: 'text',
  },
  indexes: [['snippetId'], ['projectId'], ['authorId']],
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(UserDeleted, ({ userId }) => and(eq('projectId', null), eq('authorId', userId))),
  ],
});

export const fileKey = (snippetId: number, path: string): string => `${snippetId} ${path}`;

export const snippetsProjection = defineProjection<SnippetEvent>({
  name: 'snippets',
  collections: [snippets, snippetFiles],
  handles: snippetEvents.map(({ type }) => type),
  async project(event, documents) {
    const { snippetId: id, projectId, authorId } = event.data;
    const { time, metadata } = event;
    const put = (path: string, content: string) =>
      documents.put(snippetFiles, {
        ...{ key: fileKey(id, path), snippetId: id, projectId, authorId, content },
      });
    if (event.type === 'SnippetCreated') {
      const { files, title, description, visibility } = event.data;
      for (const { path, content } of files) put(path, content);
      return documents.put(snippets, {
        ...{ id, projectId, authorId, title, description, visibility },
        paths: files.map(({ path }) => path),
        ...{ createdAt: time, updatedAt: time },
        ...{ userAgent: metadata.userAgent ?? null, clientAddress: metadata.clientAddress },
      });
    }
    const row = await documents.get(snippets, id);
    if (!row) return;
    switch (event.type) {
      case 'SnippetUpdated':
        return documents.put(snippets, { ...row, ...event.data.changes, updatedAt: time });
      case 'SnippetFilesCommitted': {
        let paths = [...row.paths];
        for (const { action, path, previousPath, content } of event.data.files) {
          const ended = action === 'delete' ? path : previousPath;
          const kept =
            previousPath === null ? undefined : await documents.get(snippetFiles, fileKey(id, previousPath));
          if (ended !== null) {
            documents.delete(snippetFiles, fileKey(id, ended));
            paths = paths.filter((other) => other !== ended);
          }
          if (action === 'delete') continue;
          put(path, content ?? kept!.content);
          if (!paths.includes(path)) paths.push(path);
        }
        return documents.put(snippets, { ...row, paths, updatedAt: time });
      }
      case 'SnippetDeleted':
        documents.delete(snippets, id);
        await documents.deleteAll(snippetFiles, eq('snippetId', id));
        return;
      default:
        event satisfies never;
    }
  },
});
