import { defineRecords, flag, json, type Part, reference, text, whole } from '../table.ts';

/** A record as the API has it. */
type Served = Readonly<Record<string, unknown>>;

export const webHooks: Part = {
  events: {
    ...{ WebHookCreated: 1, WebHookUpdated: 1, WebHookDeleted: 1, WebHookDisabled: 1, WebHookEnabled: 1 },
    // What follows is how a hook is served: `events` has it, and no column.
    ...{ WebHookRewound: 1, WebHookFellBehind: 1, WebHookCaughtUp: 1, WebHookDelivered: 1 },
  },
  records: [
    defineRecords({
      kind: 'WebHook',
      name: 'web_hooks',
      about: 'Hooks, without their addresses and tokens, which are never published.',
      key: ['web_hook_id'],
      columns: {
        web_hook_id: whole('webHookId', 'Id of the hook.'),
        project_id: reference('projectId', 'Id of the project; null for hooks of others.'),
        group_id: reference('groupId', 'Id of the group; null for hooks of others.'),
        triggers: json('triggers', 'What it is told of'),
        push_events_branch_filter: text('branchFilter', 'Branches whose pushes it is told of; null for all.'),
        enable_ssl_verification: flag(
          'verifyCertificate',
          "Whether the receiver's certificate must be valid",
        ),
        disabled: flag('disabled', 'Whether it is switched off, because its receiver failed'),
      },
      compare: {
        select: 'SELECT * FROM web_hooks WHERE ended_at IS NULL',
        key: ['web_hook_id'],
        async *served(api) {
          const served = (hook: Served, place: object) => ({
            ...{ web_hook_id: hook.id, project_id: null, group_id: null, ...place },
            enable_ssl_verification: hook.enable_ssl_verification,
          });
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const hook of api.list(`/projects/${project.id}/hooks`))
              yield served(hook, { project_id: project.id });
          for await (const group of api.list('/groups?order_by=id'))
            for await (const hook of api.list(`/groups/${group.id}/hooks`))
              yield served(hook, { group_id: group.id });
          for await (const hook of api.list('/hooks')) yield served(hook, {});
        },
      },
    }),
  ],
};
