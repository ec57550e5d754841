import { defineRecords, flag, json, type Part, text, whole } from '../table.ts';

const size = (field: string, kind: string) =>
  whole(field, `Most bytes of a file of a ${kind} package; 0 for any number.`);

/** What administrators set for the whole server. */
export const instance: Part = {
  events: {
    ...{ FeatureCreated: 1, FeatureUpdated: 1, FeatureDeleted: 1 },
    ...{ PlanLimitsCreated: 1, PlanLimitsUpdated: 1 },
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
