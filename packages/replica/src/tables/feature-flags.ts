import { defineRecords, flag, json, type Part, reference, text, whole } from '../table.ts';

export const featureFlags: Part = {
  events: {
    FeatureFlagCreated: 1,
    FeatureFlagUpdated: 1,
    FeatureFlagDeleted: 1,
    FeatureFlagUserListCreated: 1,
    FeatureFlagUserListUpdated: 1,
    FeatureFlagUserListDeleted: 1,
  },
  records: [
    defineRecords({
      kind: 'FeatureFlag',
      name: 'feature_flags',
      about: 'Parts of programs that their projects switch.',
      key: ['feature_flag_id'],
      columns: {
        feature_flag_id: whole('featureFlagId', 'Id of the feature flag.'),
        project_id: reference('projectId', 'Id of the project.'),
        name: text('name', 'Name of the flag, unique in the project.'),
        description: text('description', 'What it switches; null if not given.'),
        active: flag('active', 'Whether its strategies count'),
        strategies: json('strategies', 'When it is on'),
      },
      compare: {
        select:
          'SELECT *, began_at AS created_at, changed_at AS updated_at FROM feature_flags WHERE ended_at IS NULL',
        key: ['project_id', 'name'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const one of api.list(`/projects/${project.id}/feature_flags`)) {
              const { name, description, active, created_at, updated_at } = one;
              yield { project_id: project.id, name, description, active, created_at, updated_at };
            }
        },
      },
    }),
    defineRecords({
      kind: 'FeatureFlagUserList',
      name: 'feature_flag_user_lists',
      about: 'Users of programs for whom feature flags are on.',
      key: ['feature_flag_user_list_id'],
      columns: {
        feature_flag_user_list_id: whole('featureFlagUserListId', 'Id of the user list.'),
        project_id: reference('projectId', 'Id of the project.'),
        iid: whole('iid', 'Number of the list in its project.'),
        name: text('name', 'Name of the list, unique in the project.'),
        user_xids: text('userXids', 'Ids that the program gives its users, separated by commas.'),
      },
      compare: {
        select:
          'SELECT *, began_at AS created_at, changed_at AS updated_at FROM feature_flag_user_lists WHERE ended_at IS NULL',
        key: ['feature_flag_user_list_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const { id, ...one } of api.list(`/projects/${project.id}/feature_flags_user_lists`))
              yield { feature_flag_user_list_id: id, ...one };
        },
      },
    }),
  ],
};
