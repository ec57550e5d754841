import { listProjectGroups } from '@forgelog/contracts/admin/groups/project-group.api.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, type Condition, eq, includes, not, oneOf, or } from '@forgelog/eventing/query.ts';
import { listPage } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { groups } from './groups.projection.ts';
import { projectGroupJson } from './project-group.view.ts';

export function projectGroupRoutes(ports: ServicePorts): Implementation[] {
  const { directory, readStore } = ports;
  const authorizer = createAuthorizer(directory);
  const view = projectGroupJson.renderer(ports);

  return [
    implement(listProjectGroups, async ({ params, project, page, principal }) => {
      const { id } = project.project;
      const least = params.shared_min_access_level ?? 0;
      const linked = (params.with_shared ? await directory.projectShares(id) : [])
        .filter(({ accessLevel }) => accessLevel >= least)
        .map(({ groupId }) => groupId);
      const above = (await directory.project(id))?.ancestors ?? [];
      const seen: number[] = [];
      for (const groupId of new Set([...above, ...linked]))
        if (await authorizer.group(String(groupId), principal)) seen.push(groupId);
      const where: Condition[] = [oneOf('id', seen), eq('orphaned', false)];
      if (params.search) where.push(or(includes('name', params.search), includes('path', params.search)));
      if (params.skip_groups) where.push(not(oneOf('id', params.skip_groups)));
      return listPage(readStore, groups, { where: and(...where), sort: [asc('id')], page, view });
    }),
  ];
}
