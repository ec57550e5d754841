import { defineRecords, json, type Part, reference, text, whole } from '../table.ts';

export const debianDistributions: Part = {
  events: { DebianDistributionCreated: 1, DebianDistributionUpdated: 1, DebianDistributionDeleted: 1 },
  records: [
    defineRecords({
      kind: 'DebianDistribution',
      name: 'debian_distributions',
      about: 'What Debian packages of projects and groups are published as.',
      key: ['debian_distribution_id'],
      columns: {
        debian_distribution_id: whole('debianDistributionId', 'Id of the distribution.'),
        project_id: reference('projectId', 'Id of the project; null for one of a group.'),
        group_id: reference('groupId', 'Id of the group; null for one of a project.'),
        codename: text('codename', 'Its codename.'),
        suite: text('suite', 'Another name of it; null for none.'),
        origin: text('origin', 'Who publishes it; null for nobody named.'),
        label: text('label', 'What its packages are called together; null for none.'),
        version: text('version', 'Its version; null for none.'),
        description: text('description', 'What it is for; null for none.'),
        valid_time_duration_seconds: whole(
          'validTimeDurationSeconds',
          'How long clients take its lists for current; null for ever.',
        ),
        components: json('components', 'Its components'),
        architectures: json('architectures', 'Its architectures'),
      },
      compare: {
        select: 'SELECT * FROM debian_distributions WHERE ended_at IS NULL',
        key: ['debian_distribution_id'],
        async *served(api) {
          const columns = ({ id, ...more }: Record<string, unknown>) => ({
            debian_distribution_id: id,
            ...more,
          });
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const one of api.list(`/projects/${project.id}/debian_distributions`))
              yield { project_id: project.id, group_id: null, ...columns(one) };
          for await (const group of api.list('/groups?order_by=id'))
            for await (const one of api.list(`/groups/${group.id}/debian_distributions`))
              yield { project_id: null, group_id: group.id, ...columns(one) };
        },
      },
    }),
  ],
};
