import { defineRecords, flag, type Part, reference, text, whole } from '../table.ts';

export const errorTracking: Part = {
  events: {
    ...{ ErrorTrackingCreated: 1, ErrorTrackingUpdated: 1 },
    ...{ ErrorTrackingClientKeyCreated: 1, ErrorTrackingClientKeyDeleted: 1 },
    ...{ TrackedErrorCreated: 1, TrackedErrorSeen: 1, TrackedErrorReopened: 1, TrackedErrorUpdated: 1 },
    TrackedErrorDeleted: 1,
  },
  records: [
    defineRecords({
      kind: 'ErrorTracking',
      name: 'error_tracking',
      about: 'Error-tracking settings of projects that ever set them.',
      key: ['project_id'],
      columns: {
        project_id: whole('projectId', 'Id of the project.'),
        active: flag('active', 'Whether errors are tracked'),
        integrated: flag('integrated', 'Whether this server takes the errors itself'),
      },
      compare: {
        select:
          'SELECT project_id, active, integrated FROM error_tracking WHERE ended_at IS NULL AND (active = 1 OR integrated = 1)',
        key: ['project_id'],
        async *served(api) {
          for await (const { id } of api.list('/projects?order_by=id&simple=true')) {
            const { active, integrated } = await api.get(`/projects/${id}/error_tracking/settings`);
            if (active || integrated)
              yield { project_id: id, active: Number(active), integrated: Number(integrated) };
          }
        },
      },
    }),
    defineRecords({
      kind: 'ErrorTrackingClientKey',
      name: 'error_tracking_client_keys',
      about: 'Keys by which programs report their errors.',
      key: ['error_tracking_client_key_id'],
      columns: {
        error_tracking_client_key_id: whole('errorTrackingClientKeyId', 'Id of the key.'),
        project_id: reference('projectId', 'Id of the project.'),
      },
    }),
    defineRecords({
      kind: 'TrackedError',
      name: 'tracked_errors',
      about: 'Errors that programs reported.',
      key: ['tracked_error_id'],
      columns: {
        tracked_error_id: whole('trackedErrorId', 'Id of the error.'),
        project_id: reference('projectId', 'Id of the project.'),
        fingerprint: text('fingerprint', 'What its occurrences have in common.'),
        type: text('errorType', 'Type of the exception.'),
        message: text('message', 'What the error says.'),
        culprit: text('culprit', 'Where in the program it happened.'),
        level: text('level', 'How bad it is.'),
        platform: text('platform', 'Language of the program.'),
        environment: text('environment', 'Environment of the program; null if not told.'),
        release: text('release', 'Version of the program; null if not told.'),
        status: text('status', 'Whether it is done: `unresolved`, `resolved` or `ignored`.'),
        count: whole('occurrences', 'How often it was seen.'),
        last_seen: text('lastSeenAt', 'When it was seen again, in ISO 8601 and UTC; null if it was not.'),
      },
      compare: {
        select: 'SELECT * FROM tracked_errors WHERE ended_at IS NULL',
        key: ['tracked_error_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const one of api.list(`/projects/${project.id}/error_tracking/errors`)) {
              const { id: tracked_error_id, project_id, fingerprint, type, status, count } = one;
              yield { tracked_error_id, project_id, fingerprint, type, status, count };
            }
        },
      },
    }),
  ],
};
