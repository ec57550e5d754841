import { defineRecords, flag, json, type Part, text, whole } from '../table.ts';

const size = (field: string, kind: string) =>
  whole(field, `Most bytes of a file of a ${kind} package; 0 for any number.`);

/** What administrators set for the whole server. */
export const instance: Part = {
  events: {
    ...{ FeatureCreated: 1, FeatureUpdated: 1, FeatureDeleted: 1 },
    ...{ PlanLimitsCreated: 1, PlanLimitsUpdated: 1, SettingsCreated: 1, SettingsUpdated: 1 },
    ...{ AppearanceCreated: 1, AppearanceUpdated: 1 },
  },
  records: [
    defineRecords({
      kind: 'Feature',
      name: 'features',
      about: 'Feature flags of the server that have gates.',
      key: ['name'],
      columns: {
        name: text('name', 'Name of the flag.'),
        enabled: flag('enabled', 'Whether it is on for everybody'),
        percentage_of_time: whole('percentageOfTime', 'For which percentage of times it is on.'),
        percentage_of_actors: whole('percentageOfActors', 'For which percentage of actors it is on.'),
        groups: json('groups', 'Kinds of users for whom it is on'),
        actors: json('actors', 'For whom else it is on'),
      },
      compare: {
        select: 'SELECT name, enabled FROM features WHERE ended_at IS NULL',
        key: ['name'],
        async *served(api) {
          for await (const { name, state } of api.list('/features'))
            yield { name, enabled: Number(state === 'on') };
        },
      },
    }),
    defineRecords({
      kind: 'Settings',
      name: 'application_settings',
      about: 'Settings of the server, where any was ever set; a column is null while it has its default.',
      key: ['settings_id'],
      columns: {
        settings_id: whole('settingsId', 'Always 1.'),
        default_project_visibility: text('default_project_visibility', 'Visibility of new projects.'),
        default_group_visibility: text('default_group_visibility', 'Visibility of new groups.'),
        default_projects_limit: whole('default_projects_limit', 'Most personal projects of new users.'),
        restricted_visibility_levels: json(
          'restricted_visibility_levels',
          'What others than administrators may not make',
        ),
        deletion_adjourned_period: whole('deletion_adjourned_period', 'Days that deleted places stay.'),
        max_attachment_size: whole('max_attachment_size', 'Most MiB of an uploaded file.'),
      },
      compare: {
        select:
          'SELECT settings_id, default_projects_limit FROM application_settings WHERE default_projects_limit IS NOT NULL',
        key: ['settings_id'],
        async *served(api) {
          const { default_projects_limit } = await api.get('/application/settings');
          if (default_projects_limit !== 100_000) yield { settings_id: 1, default_projects_limit };
        },
      },
    }),
    defineRecords({
      kind: 'Appearance',
      name: 'appearance',
      about:
        'How the server presents itself, where it was ever set; a column is null while it has its default.',
      key: ['appearance_id'],
      columns: {
        appearance_id: whole('appearanceId', 'Always 1.'),
        title: text('title', 'Name on its pages.'),
        description: text('description', 'What the first page says.'),
        header_message: text('header_message', 'Line above each page.'),
        footer_message: text('footer_message', 'Line below each page.'),
      },
      compare: {
        select: 'SELECT appearance_id, title FROM appearance WHERE title IS NOT NULL',
        key: ['appearance_id'],
        async *served(api) {
          const { title } = await api.get('/application/appearance');
          if (title !== '') yield { appearance_id: 1, title };
        },
      },
    }),
    defineRecords({
      kind: 'PlanLimits',
      name: 'plan_limits',
      about: 'How large files of packages may be, where it was ever set.',
      key: ['plan'],
      columns: {
        plan: text('plan', 'Name of the plan.'),
        conan_max_file_size: size('conan_max_file_size', 'Conan'),
        generic_packages_max_file_size: size('generic_packages_max_file_size', 'generic'),
        helm_max_file_size: size('helm_max_file_size', 'Helm'),
        maven_max_file_size: size('maven_max_file_size', 'Maven'),
        npm_max_file_size: size('npm_max_file_size', 'npm'),
        nuget_max_file_size: size('nuget_max_file_size', 'NuGet'),
        pypi_max_file_size: size('pypi_max_file_size', 'PyPI'),
        terraform_module_max_file_size: size('terraform_module_max_file_size', 'Terraform'),
      },
      compare: {
        select:
          'SELECT plan, npm_max_file_size FROM plan_limits WHERE ended_at IS NULL AND npm_max_file_size <> 524288000',
        key: ['plan'],
        async *served(api) {
          const { npm_max_file_size } = await api.get('/application/plan_limits');
          if (npm_max_file_size !== 524_288_000) yield { plan: 'default', npm_max_file_size };
        },
      },
    }),
  ],
};
