import { defineRecords, json, type Part, reference, text, whole } from '../table.ts';

export const deployTokens: Part = {
  events: { DeployTokenCreated: 1, DeployTokenDeleted: 1 },
  records: [
    defineRecords({
      kind: 'DeployToken',
      name: 'deploy_tokens',
      about: 'Deploy tokens of projects and groups, without anything that opens a door.',
      key: ['deploy_token_id'],
      columns: {
        deploy_token_id: whole('deployTokenId', 'Id of the token.'),
        project_id: reference('projectId', 'Id of the project that it opens; null for one of a group.'),
        group_id: reference('groupId', 'Id of the group that it opens; null for one of a project.'),
        name: text('name', 'Name that its maker gave it.'),
        username: text('username', 'Name that it signs in with.'),
        scopes: json('scopes', 'What it opens'),
        expires_at: text('expiresAt', 'When it no longer works, in ISO 8601; null if it does not expire.'),
      },
      compare: {
        select: 'SELECT * FROM deploy_tokens WHERE ended_at IS NULL',
        key: ['deploy_token_id'],
        async *served(api) {
          for await (const { id, name, username, scopes, expires_at } of api.list('/deploy_tokens'))
            yield { deploy_token_id: id, name, username, scopes, expires_at };
        },
      },
    }),
  ],
};
