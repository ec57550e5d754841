import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { lazyInstanceKey, runnersToken } from '@forgelog/service-kit/instance-key.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { readyList, withMembers } from '@forgelog/service-kit/ready-json.ts';
import type { GroupRow } from './groups.projection.ts';
import { repositoriesSize } from './project-sizes.projection.ts';

/** Limit of `projects` in a group's detail [companions 2.4]. */
const MOST_PROJECTS = 100;

/** Only repositories are measured. */
function statisticsOf(repositorySize: number) {
  return {
    storage_size: repositorySize,
    repository_size: repositorySize,
    wiki_size: 0,
    lfs_objects_size: 0,
    job_artifacts_size: 0,
    packages_size: 0,
    snippets_size: 0,
  };
}

interface Wishes {
  statistics?: boolean | undefined;
  with_custom_attributes?: boolean | undefined;
}

/** A group as in lists; non-administrators do not get the administrators' fields. */
export async function groupText(
  { id, body }: Pick<GroupRow, 'id' | 'body'>,
  wishes: Wishes,
  principal: Principal | null,
  readStore: ReadStore,
): Promise<string> {
  if (!principal?.isAdmin) return body!;
  return withMembers(body!, {
    ...(wishes.statistics ? { statistics: statisticsOf(await repositoriesSize(id, readStore)) } : {}),
    ...(wishes.with_custom_attributes ? { custom_attributes: [] } : {}),
  });
}

export interface Detail {
  row: GroupRow;
  principal: Principal | null;
  /** The caller's access level in the group. */
  level: number;
  wishes: Wishes & { with_projects?: boolean };
}

/** Builds a single group's answer, with its projects unless the caller excludes them. */
export type GroupDetail = (detail: Detail) => Promise<string>;

const OWNER = 50;

export function createGroupDetail({ peers, configuration, readStore }: ServicePorts): GroupDetail {
  const instanceKey = lazyInstanceKey(configuration);
  return async ({ row, principal, level, wishes }) => {
    const text = withMembers(await groupText(row, wishes, principal, readStore), {
      shared_runners_setting: row.sharedRunnersSetting,
      prevent_sharing_groups_outside_hierarchy: false,
      shared_with_groups: [],
      ...(level >= OWNER ? { runners_token: runnersToken(instanceKey(), 'group', row.id) } : {}),
    });
    if (wishes.with_projects === false) return text;
    const projects = async (shared: boolean) => {
      const answer = await peers.projectsOfGroup({
        groupId: row.id,
        shared,
        filters: { order_by: 'created_at', sort: 'desc', with_shared: false, include_subgroups: false },
        page: { number: 1, size: MOST_PROJECTS, offset: 0, keyset: null },
        principal,
      });
      return answer.kind === 'list' ? String(readyList(answer.items)) : '[]';
    };
    return `${text.slice(0, -1)},"projects":${await projects(false)},"shared_projects":${await projects(true)}}`;
  };
}
