import { defineRecords, defineView, type Part, reference, settings, text, whole } from '../table.ts';

export const groups: Part = {
  events: {
    ...{ GroupCreated: 2, GroupUpdated: 2, GroupTransferred: 1, GroupDeleted: 1 },
    ...{ GroupDeletionScheduled: 1, GroupDeletionCancelled: 1 },
  },
  records: [
    defineRecords({
      kind: 'Group',
      name: 'groups',
      about: 'Every group.',
      key: ['group_id'],
      columns: {
        group_id: whole('groupId', 'Id of the group.'),
        parent_id: reference('parentId', 'Id of the group above; null at the top.'),
        name: text('name', 'Name as people read it.'),
        path: text('path', 'Last segment of its address; see `group_paths`.'),
        description: text('description', 'What it is for.'),
        visibility: text('visibility', '`private`, `internal` or `public`.'),
        creator_id: whole('creatorId', 'Id of the user who created it; null where the system did.'),
        deletion_due_at: text(
          'deletionDueAt',
          'When it will be deleted (ISO 8601); null unless it is marked for that.',
        ),
        settings: settings('settings', 'Settings, by their names in the API'),
      },
    }),
  ],
  views: [
    defineView({
      name: 'group_paths',
      about: 'The address of every group that exists: `group_id`, `full_path`, `full_name`.',
      sql: `WITH RECURSIVE placed(group_id, full_path, full_name) AS (
  SELECT group_id, path, name FROM groups WHERE parent_id IS NULL AND ended_at IS NULL
  UNION ALL
  SELECT below.group_id, placed.full_path || '/' || below.path, placed.full_name || ' / ' || below.name
  FROM groups AS below JOIN placed ON below.parent_id = placed.group_id WHERE below.ended_at IS NULL
)
SELECT group_id, full_path, full_name FROM placed`,
      compare: {
        select: `SELECT groups.*, full_path, full_name, began_at AS created_at
FROM groups LEFT JOIN group_paths ON group_paths.group_id = groups.group_id WHERE ended_at IS NULL`,
        key: ['group_id'],
        async *served(api) {
          for await (const group of api.list('/groups?order_by=id')) {
            const { id, parent_id, name, path, description, visibility, full_path, full_name, created_at } =
              group;
            yield {
              ...{ group_id: id, parent_id, name, path, description, visibility },
              ...{ full_path, full_name, created_at, settings: group },
            };
          }
        },
      },
    }),
  ],
};
