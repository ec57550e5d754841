import { defineRecords, flag, type Part, reference, text, whole } from '../table.ts';

export const deployKeys: Part = {
  events: {
    DeployKeyCreated: 1,
    DeployKeyUpdated: 1,
    DeployKeyDeleted: 1,
    DeployKeyEnabledForProject: 1,
    DeployKeyAccessUpdated: 1,
    DeployKeyDisabledForProject: 1,
  },
  records: [
    defineRecords({
      kind: 'DeployKey',
      name: 'deploy_keys',
      about: 'Public keys of machines.',
      key: ['deploy_key_id'],
      columns: {
        deploy_key_id: whole('deployKeyId', 'Id of the key.'),
        fingerprint: text('fingerprint', 'SHA-256 of the key in hexadecimal.'),
        title: text('title', 'What people call it.'),
        public_key: text('key', 'The key as text.'),
        is_public: flag('isPublic', 'Whether each project may enable it'),
      },
      compare: {
        select: 'SELECT * FROM deploy_keys WHERE ended_at IS NULL',
        key: ['deploy_key_id'],
        async *served(api) {
          for await (const { id, title, key } of api.list('/deploy_keys'))
            yield { deploy_key_id: id, title, public_key: key };
        },
      },
    }),
    defineRecords({
      kind: 'DeployKeyProject',
      name: 'deploy_key_projects',
      about: 'Projects that have a deploy key enabled.',
      key: ['deploy_key_id', 'project_id'],
      columns: {
        deploy_key_id: whole('deployKeyId', 'Id of the key.'),
        project_id: reference('projectId', 'Id of the project.'),
        can_push: flag('canPush', 'Whether the key may push there'),
      },
      compare: {
        select: 'SELECT * FROM deploy_key_projects WHERE ended_at IS NULL',
        key: ['deploy_key_id', 'project_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const { id, can_push } of api.list(`/projects/${project.id}/deploy_keys`))
              yield { deploy_key_id: id, project_id: project.id, can_push: Number(can_push) };
        },
      },
    }),
  ],
};
