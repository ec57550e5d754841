import type { FeatureName } from '@forgelog/contracts/admin/features/feature-definitions.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { FeatureActor } from '@forgelog/directory/feature-gates.ts';
import type { GroupGrant, ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { DistributionPlace } from './debian-distribution.decider.ts';

/** What is switched off answers as if it was not there. */
export function debianPlaces(directory: Pick<Directory, 'featureEnabled'>) {
  async function requireEnabled(name: FeatureName, actor: FeatureActor): Promise<void> {
    if (!(await directory.featureEnabled(name, actor))) throw new Rejection('record_not_found');
  }
  return {
    async project({ project: { project } }: { project: ProjectGrant }): Promise<DistributionPlace> {
      await requireEnabled('debian_packages', `Project:${project.id}`);
      return { projectId: project.id, groupId: null };
    },
    async group({ group: { group } }: { group: GroupGrant }): Promise<DistributionPlace> {
      await requireEnabled('debian_group_packages', `Group:${group.id}`);
      return { projectId: null, groupId: group.id };
    },
  };
}
