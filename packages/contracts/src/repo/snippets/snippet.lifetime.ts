import { UserDeleted } from '../../admin/users/user.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../projects/project.events.ts';
import { SnippetCreated, SnippetDeleted, SnippetUpdated } from './snippet.events.ts';

export const snippetLifetime = defineLifetime({
  kind: 'Snippet',
  id: ['snippetId'],
  begins: [begins(SnippetCreated)],
  changes: changedBy(SnippetUpdated),
  ends: [
    endsWith(SnippetDeleted, ['snippetId']),
    endsWith(ProjectDeleted, ['projectId']),
    endsWith(UserDeleted, { authorId: 'userId' }, { ofRecord: { projectId: null } }),
  ],
});
