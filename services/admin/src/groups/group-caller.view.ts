import { GROUP_SETTING_DEFAULTS, type GroupSettings } from '@forgelog/contracts/admin/groups/group.events.ts';
import { listProjectsOfGroup } from '@forgelog/contracts/repo/projects/project.operations.ts';
import { servedSettings } from '@forgelog/contracts/shared/not-served.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { shownShares } from '@forgelog/directory/shown-shares.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { type Answer, json } from '@forgelog/service-kit/answer.ts';
import { lazyInstanceKey, runnersToken } from '@forgelog/service-kit/instance-key.ts';
import { listTemplate } from '@forgelog/service-kit/json-template.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { attributesByOwner } from '../custom-attributes/custom-attribute.query.ts';
import { groupDetailJson, type ShownGroup } from './group.view.ts';
import type { GroupRow } from './groups.projection.ts';
import { sizesIn } from './project-sizes.projection.ts';

/** Limit of `projects` in a group's detail [companions 2.4]. */
const MOST_PROJECTS = 100;

interface Wishes {
  statistics?: boolean | undefined;
  with_custom_attributes?: boolean | undefined;
}

/** Groups with what only administrators see, where they ask for it. */
export async function withWishes(
  rows: readonly GroupRow[],
  wishes: Wishes,
  principal: Principal | null,
  readStore: ReadStore,
): Promise<ShownGroup[]> {
  const wished = principal?.isAdmin ? wishes : {};
  const attributes = wished.with_custom_attributes
    ? await attributesByOwner(
        rows.map(({ id }) => id),
        'groupId',
        readStore,
      )
    : undefined;
  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      settings: servedSettings({ ...GROUP_SETTING_DEFAULTS, ...(row.settings as Partial<GroupSettings>) }),
      ...(attributes && { customAttributes: attributes.get(row.id) ?? [] }),
      ...(wished.statistics ? { sizes: await sizesIn(row.id, readStore) } : {}),
    })),
  );
}

export interface Detail {
  row: GroupRow;
  principal: Principal | null;
  /** The caller's access level in the group. */
  level: number;
  wishes: Wishes & { with_projects?: boolean };
}

/** Answers a group by itself, with its projects unless they are not wanted. */
export type GroupDetail = (detail: Detail) => Promise<Answer>;

const OWNER = 50;

export function createGroupDetail(ports: ServicePorts): GroupDetail {
  const { operations, configuration, readStore, directory } = ports;
  const instanceKey = lazyInstanceKey(configuration);
  const authorizer = createAuthorizer(directory);
  const view = groupDetailJson.renderer(ports);

  async function projects(groupId: number, principal: Principal | null, shared: boolean) {
    const filters = { order_by: 'created_at', sort: 'desc', include_subgroups: false } as const;
    const page = { number: 1, size: MOST_PROJECTS, offset: 0, keyset: null };
    const asked = { groupId, shared, filters, page };
    const { items } = await operations.call(listProjectsOfGroup, asked, { principal });
    return listTemplate(items);
  }

  async function tokenOf(id: number): Promise<string> {
    const place = { kind: 'group', id } as const;
    return runnersToken(instanceKey(), place, await directory.runnersTokenResets(place));
  }

  return async ({ row, principal, level, wishes }) => {
    const [group] = await withWishes([row], wishes, principal, readStore);
    const request = {
      shared_with_groups: await shownShares(await directory.groupShares(row.id), authorizer, principal),
      runnersToken: level >= OWNER ? await tokenOf(row.id) : undefined,
      projects:
        wishes.with_projects === false
          ? null
          : {
              own: await projects(row.id, principal, false),
              shared: await projects(row.id, principal, true),
            },
    };
    return json(view.one(group!, request));
  };
}
