import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const protectedTags: Part = {
  events: { ProtectedTagCreated: 1, ProtectedTagDeleted: 1 },
  records: [
    defineRecords({
      kind: 'ProtectedTag',
      name: 'protected_tags',
      about: 'Names and wildcards of tags that only some may create.',
      key: ['protected_tag_id'],
      columns: {
        protected_tag_id: whole('protectedTagId', 'Id of the protected tag.'),
        project_id: reference('projectId', 'Id of the project.'),
        name: text('name', 'Name of the tags; `*` stands for any text.'),
        create_access_level: whole('createAccessLevel', 'Least level of those who create them; 0 is nobody.'),
      },
      compare: {
        select: 'SELECT * FROM protected_tags WHERE ended_at IS NULL',
        key: ['project_id', 'name'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const tag of api.list(`/projects/${project.id}/protected_tags`)) {
              const [level] = tag.create_access_levels as { access_level: number }[];
              yield {
                ...{ project_id: project.id, name: tag.name },
                create_access_level: level!.access_level,
              };
            }
        },
      },
    }),
  ],
};
