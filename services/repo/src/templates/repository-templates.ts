import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { RepoPorts } from '../ports.ts';
import { findRevision } from '../shared/revisions.ts';
import type { TextTemplate } from './text-templates.ts';

const ENDING = '.md';
/** A folder shows so many templates, and a template has so many bytes. */
const MOST = 1000;
const MOST_BYTES = 1_000_000;

/** Templates that the default branch has in a folder of `.gitlab`. Whoever does not see the code sees none. */
export function repositoryTemplates({ repositories }: Pick<RepoPorts, 'repositories'>) {
  async function defaultCommit({ project, can }: ProjectGrant) {
    const repository = repositories.of(project.id);
    const revision = can('repository') ? await findRevision(repository, project, undefined) : undefined;
    return { repository, oid: revision?.oid };
  }

  return {
    async names(grant: ProjectGrant, folder: string): Promise<string[]> {
      const { repository, oid } = await defaultCommit(grant);
      if (oid === undefined) return [];
      const wanted = { path: `.gitlab/${folder}`, recursive: false, order: 'grouped' } as const;
      const tree = await repository.tree(oid, { ...wanted, offset: 0, limit: MOST });
      return (tree?.entries ?? [])
        .filter(({ type, name }) => type === 'blob' && name.endsWith(ENDING))
        .map(({ name }) => name.slice(0, -ENDING.length))
        .toSorted();
    },

    async read(grant: ProjectGrant, folder: string, name: string): Promise<TextTemplate | undefined> {
      const { repository, oid } = await defaultCommit(grant);
      if (oid === undefined || name.includes('/')) return undefined;
      const entry = await repository.entry(oid, `.gitlab/${folder}/${name}${ENDING}`);
      if (entry?.type !== 'blob') return undefined;
      const found = await repository.objects.read(entry.oid, MOST_BYTES);
      if (!found) throw new Rejection('not_found', { what: 'Template' });
      return { name, content: found.content.toString('utf8') };
    },
  };
}
