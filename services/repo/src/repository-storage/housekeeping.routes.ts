import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  getProjectStorage,
  startHousekeeping,
} from '@forgelog/contracts/repo/housekeeping/housekeeping.api.ts';
import { parseIdOrPath } from '@forgelog/directory/authorizer.ts';
import { value } from '@forgelog/service-kit/answer.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { projects } from '../projects/project.collection.ts';
import type { Housekeeping } from './housekeeping.ts';
import { repositoryPath } from './repositories.ts';

const CREATED = ['createdAt'] as const;

export function housekeepingRoutes(
  { directory, readStore }: Pick<RepoPorts, 'directory' | 'readStore'>,
  housekeeping: Pick<Housekeeping, 'request'>,
): Implementation[] {
  return [
    implement(getProjectStorage, async ({ params }) => {
      const named = parseIdOrPath(String(params.id));
      const found =
        typeof named === 'number' ? await directory.project(named) : await directory.projectByPath(named);
      const project = found && (await readStore.getFields(projects, found.id, CREATED));
      if (!project) throw new Rejection('not_found', { what: 'Project' });
      return value({
        project_id: found.id,
        // Administrators look for it below the folder of the storage, where it ends with `.git`.
        disk_path: repositoryPath(found.id).replace(/\.git$/, ''),
        created_at: project.createdAt,
        repository_storage: found.storage,
      });
    }),

    implement(startHousekeeping, async ({ project }) => {
      const begun = housekeeping.request(project.project.id);
      if (begun === 'off')
        throw new Rejection('forbidden', { reason: 'The settings of the server switch housekeeping off' });
      if (begun === 'running')
        throw new Rejection('conflict', { message: 'Housekeeping of this repository is under way already' });
      return value(true);
    }),
  ];
}
