import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { SnippetDeleted } from '@forgelog/contracts/repo/snippets/snippet.events.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { RepoPorts } from '../ports.ts';
import { ownersFolder, repositoryOf } from './snippet-repositories.ts';

/** Repositories of snippets go with them. Safe to repeat. */
export function snippetRepositoryPolicies({ git, root }: Pick<RepoPorts, 'git' | 'root'>): Policy[] {
  async function removeAll(folder: string): Promise<void> {
    const names = await readdir(join(root, folder)).catch(() => [] as string[]);
    for (const name of names) if (name.endsWith('.git')) await git.repository(`${folder}/${name}`).remove();
    await rm(join(root, folder), { recursive: true, force: true });
  }
  return [
    definePolicy({
      name: 'repositories-of-deleted-snippets',
      handles: [SnippetDeleted, ProjectDeleted, UserDeleted],
      actsAs: 'system',
      async react({ data }) {
        if ('snippetId' in data) {
          const { snippetId: id, projectId, authorId } = data;
          return git.repository(repositoryOf({ id, projectId, authorId })).remove();
        }
        const owner =
          'projectId' in data
            ? { projectId: data.projectId, authorId: 0 }
            : { projectId: null, authorId: data.userId };
        return removeAll(ownersFolder(owner));
      },
    }),
  ];
}
