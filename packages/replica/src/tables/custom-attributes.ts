import { defineRecords, type Part, reference, text, whole } from '../table.ts';

const OWNERS = { user_id: '/users', group_id: '/groups', project_id: '/projects' } as const;

export const customAttributes: Part = {
  events: { CustomAttributeCreated: 1, CustomAttributeUpdated: 1, CustomAttributeDeleted: 1 },
  records: [
    defineRecords({
      kind: 'CustomAttribute',
      name: 'custom_attributes',
      about: 'What administrators attached to users, groups and projects.',
      key: ['custom_attribute_id'],
      columns: {
        custom_attribute_id: whole('customAttributeId', 'Id of the attribute.'),
        user_id: reference('userId', 'Id of the user who has it; null for those of others.'),
        group_id: reference('groupId', 'Id of the group that has it; null for those of others.'),
        project_id: reference('projectId', 'Id of the project that has it; null for those of others.'),
        key: text('key', 'Name, unique for its owner.'),
        value: text('value', 'What it is set to.'),
      },
      compare: {
        select: 'SELECT * FROM custom_attributes WHERE ended_at IS NULL',
        key: ['user_id', 'group_id', 'project_id', 'key'],
        async *served(api) {
          for (const [column, path] of Object.entries(OWNERS))
            for await (const { id, custom_attributes } of api.list(
              `${path}?order_by=id&with_custom_attributes=true`,
            ))
              for (const attribute of custom_attributes as object[])
                yield { ...{ user_id: null, group_id: null, project_id: null }, [column]: id, ...attribute };
        },
      },
    }),
  ],
};
