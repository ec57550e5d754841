import { projectFeatureFlagView } from '@forgelog/contracts/ci/feature-flags/feature-flag.api.ts';
import { featureFlagUserListView } from '@forgelog/contracts/ci/feature-flags/feature-flag-user-list.api.ts';
import {
  featureFlagsClientView,
  unleashFeaturesView,
} from '@forgelog/contracts/ci/feature-flags/unleash.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { constant, given, host, text } from '@forgelog/service-kit/view-parts.ts';
import type { FlagStrategy } from './feature-flag.rules.ts';
import type { FeatureFlagRow, FeatureFlagUserListRow } from './feature-flags.projection.ts';

type ListsById = ReadonlyMap<number, FeatureFlagUserListRow>;

export interface ShownFlag extends FeatureFlagRow {
  /** The user lists that its strategies name. */
  lists: ListsById;
}

export const strategiesOf = ({ strategies }: FeatureFlagRow) => strategies as readonly FlagStrategy[];

export const featureFlagJson = implementView(projectFeatureFlagView).from<ShownFlag>({
  name: 'name',
  description: 'description',
  active: 'active',
  version: constant('new_version_flag'),
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  scopes: constant([]),
  strategies: given((flag: ShownFlag) =>
    strategiesOf(flag).map(({ id, name, parameters, scopes, userListId }) => ({
      id,
      name,
      parameters,
      scopes: scopes.map((scope) => ({ id: scope.id, environment_scope: scope.environmentScope })),
      user_list: userListId === null ? null : listOfStrategy(flag.lists.get(userListId)),
    })),
  ),
});

function listOfStrategy(list: FeatureFlagUserListRow | undefined) {
  if (!list) return null;
  const { id, iid, name, userXids } = list;
  return { id, iid, name, user_xids: userXids };
}

export const featureFlagUserListJson = implementView(featureFlagUserListView).from<FeatureFlagUserListRow>({
  id: 'id',
  iid: 'iid',
  project_id: 'projectId',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  name: 'name',
  user_xids: 'userXids',
});

export const featureFlagsClientJson = implementView(featureFlagsClientView).from<{
  projectId: number;
  instanceId: string;
}>({
  api_url: text`${host}/api/v4/feature_flags/unleash/${'projectId'}`,
  instance_id: 'instanceId',
});

/** Flags with the strategies that hold in one environment. */
export interface UnleashFlags {
  flags: readonly ShownFlag[];
}

/** Clients know no lists of users: such a strategy is one of the users that are on the list. */
export const unleashFeaturesJson = implementView(unleashFeaturesView).from<UnleashFlags>({
  version: 1,
  features: given(({ flags }: UnleashFlags) =>
    flags.map((flag) => ({
      name: flag.name,
      ...(flag.description !== null && { description: flag.description }),
      enabled: flag.active,
      strategies: strategiesOf(flag).map(({ name, parameters, userListId }) =>
        userListId === null
          ? { name, parameters }
          : { name: 'userWithId', parameters: { userIds: flag.lists.get(userListId)?.userXids ?? '' } },
      ),
    })),
  ),
});
