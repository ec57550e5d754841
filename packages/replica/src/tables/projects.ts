import { defineRecords, defineView, flag, type Part, reference, settings, text, whole } from '../table.ts';

export const projects: Part = {
  events: {
    ...{ ProjectCreated: 2, ProjectUpdated: 3, ProjectDeleted: 1 },
    ...{ ProjectArchived: 2, ProjectUnarchived: 2, ProjectTransferred: 1, ProjectCreationAbandoned: 1 },
    ...{ ProjectDeletionScheduled: 1, ProjectDeletionCancelled: 1, RepositoryMoved: 1 },
  },
  records: [
    defineRecords({
      kind: 'Project',
      name: 'projects',
      about: 'Every project.',
      key: ['project_id'],
      columns: {
        project_id: whole('projectId', 'Id of the project.'),
        namespace_id: reference('namespaceId', 'Id of its group, or of a personal namespace.'),
        owner_id: whole('ownerId', 'Id of the owner of the personal namespace; null in a group.'),
        creator_id: whole('creatorId', 'Id of the user who created it.'),
        name: text('name', 'Name as people read it.'),
        path: text('path', 'Last segment of its address; see `project_paths`.'),
        description: text('description', 'What it is for; null if not given.'),
        visibility: text('visibility', '`private`, `internal` or `public`.'),
        default_branch: text('defaultBranch', 'Name of the default branch; null before the first push.'),
        forked_from_project_id: reference(
          'forkedFromProjectId',
          'Id of the project that it is a fork of; null if it is none.',
        ),
        archived: flag('archived', 'Whether it can only be read'),
        deletion_due_at: text(
          'deletionDueAt',
          'When it will be deleted (ISO 8601); null unless it is marked for that.',
        ),
        settings: settings('settings', 'Settings, by their names in the API'),
      },
      history: { name: 'project_history', columns: ['visibility', 'archived'] },
    }),
  ],
  views: [
    defineView({
      name: 'project_paths',
      about: 'The address of every project that exists: `project_id`, `full_path`.',
      sql: `SELECT project_id, COALESCE(group_paths.full_path, users.username) || '/' || projects.path AS full_path
FROM projects
LEFT JOIN group_paths ON group_paths.group_id = projects.namespace_id
LEFT JOIN users ON users.namespace_id = projects.namespace_id
WHERE projects.ended_at IS NULL`,
      compare: {
        select: `SELECT projects.*, full_path, began_at AS created_at,
  (SELECT COUNT(*) FROM stars WHERE stars.project_id = projects.project_id AND stars.ended_at IS NULL) AS star_count
FROM projects LEFT JOIN project_paths ON project_paths.project_id = projects.project_id WHERE ended_at IS NULL`,
        key: ['project_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id')) {
            const { id, name, path, description, visibility, default_branch, archived } = project;
            const { creator_id, created_at, star_count } = project;
            yield {
              ...{ project_id: id, namespace_id: project.namespace.id, name, path, description, visibility },
              ...{ default_branch, archived, creator_id, created_at, star_count },
              ...{ full_path: project.path_with_namespace, settings: project },
            };
          }
        },
      },
    }),
  ],
};
