import { z } from 'zod';
import { defineEndpoint, project } from '../../endpoint.ts';
import { bool, described, oneOf, type Param, required, text, url } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import examples from './integration.examples.json' with { type: 'json' };
import { CHANNELS, EVENT_FLAGS, type EventFlag } from './integration-kinds.ts';

const flags = Object.fromEntries(EVENT_FLAGS.map((flag) => [flag, z.boolean()])) as {
  [Flag in EventFlag]: z.ZodBoolean;
};

/** Integration record [L404]. */
export const integrationView = defineView(
  'Integration',
  {
    id: z.int(),
    title: z.string(),
    slug: z.string(),
    created_at: datetimeView,
    updated_at: datetimeView,
    active: z.boolean(),
    ...flags,
  },
  examples.Integration,
);

/** An integration by itself also tells its parameters, secrets excepted [companions 7]. */
export const singleIntegrationView = defineView(
  'SingleIntegration',
  {
    ...integrationView.shape,
    properties: z.record(z.string(), z.union([z.string(), z.boolean()])),
  },
  examples.SingleIntegration,
);

const slug = described(required(text()), 'Slug of the integration', {
  examples: ['external-wiki'],
});

const flag = (what: string) => described(bool(), `Whether it is told of ${what}`);

const channels = Object.fromEntries(
  CHANNELS.map((name) => {
    const about = name.replace(/_channel$/, '').replaceAll('_', ' ');
    return [name, described(text({ max: 80 }), `Where messages on a ${about} go, in place of \`channel\``)];
  }),
) as { [Name in (typeof CHANNELS)[number]]: Param<string | undefined> };

const parameters = {
  new_issue_url: described(url({ max: 2048 }), 'Where people open an issue; for `custom-issue-tracker`'),
  issues_url: described(
    url({ max: 2048 }),
    'Where issues are, `:id` for their id; for `custom-issue-tracker`',
  ),
  project_url: described(url({ max: 2048 }), 'Where the project is there; for `custom-issue-tracker`'),
  description: described(text({ max: 255 }), 'What the tracker is for; for `custom-issue-tracker`'),
  title: described(text({ max: 255 }), 'What the tracker is called; for `custom-issue-tracker`'),
  recipients: described(
    text({ max: 20_000 }),
    'Email addresses with spaces between; for `emails-on-push` and `pipelines-email`, which takes commas as well',
  ),
  disable_diffs: described(bool(), 'Whether mails are without the diff; for `emails-on-push`'),
  send_from_committer_email: described(
    bool(),
    'Whether the committer is the sender, which is not supported; for `emails-on-push`',
  ),
  branches_to_be_notified: described(
    oneOf('all', 'default', 'protected', 'default_and_protected'),
    'Which branches it is told of, tags always: `all` by default for `emails-on-push`, `default` for the others',
  ),
  external_wiki_url: described(url({ max: 2048 }), 'Where the wiki is; for `external-wiki`', {
    examples: ['https://wiki.example.org'],
  }),
  webhook: described(
    url({ max: 2048 }),
    'Address that the chat gave for its messages, which no answer tells; for chats',
  ),
  username: described(
    text({ max: 255 }),
    'Whom messages are from; for `slack` and `mattermost`. Who signs in; for `jira` and `jenkins`',
  ),
  password: described(
    text({ max: 1024 }),
    'Password or token of `username`, told again with each other address, and in no answer',
  ),
  url: described(url({ max: 2048 }), 'Where Jira is; for `jira`', { examples: ['https://jira.example.org'] }),
  api_url: described(url({ max: 2048 }), 'Where its API is, if elsewhere; for `jira`'),
  jira_issue_transition_id: described(
    text({ max: 255 }),
    'Ids of the transitions, with commas between, that end an issue; none without it; for `jira`',
  ),
  jenkins_url: described(url({ max: 2048 }), 'Where Jenkins is; for `jenkins`'),
  project_name: described(text({ max: 255 }), 'Name of the project there, with its folders; for `jenkins`'),
  channel: described(text({ max: 80 }), 'Where messages go; for `slack` and `mattermost`', {
    examples: ['engines'],
  }),
  ...channels,
  notify_only_broken_pipelines: described(
    bool(),
    'Whether it is told of failed pipelines alone, as by default; for `pipelines-email` and chats',
  ),
  notify_only_default_branch: described(
    bool(),
    'Older word for `branches_to_be_notified`: the default branch alone, or all; for `pipelines-email`',
  ),
  commit_events: flag('commits that name issues of Jira'),
  comment_on_event_enabled: described(
    bool(),
    'Whether issues of Jira get comments, or links alone; for `jira`',
  ),
  push_events: flag('pushes to branches'),
  tag_push_events: flag('pushes of tags'),
  issues_events: flag('issues'),
  confidential_issues_events: flag('confidential issues'),
  merge_requests_events: flag('merge requests'),
  note_events: flag('comments'),
  confidential_note_events: flag('comments that not everybody may read'),
  pipeline_events: flag('pipelines'),
  wiki_page_events: flag('pages of the wiki'),
  deployment_events: described(
    bool(),
    'Whether it is told of deployments, which it is not by default; for `slack` and `mattermost`',
  ),
};

interface Address {
  id: string;
  path: string;
  /** Said of the newer address. */
  newer: string;
}

function integrationsAt({ id, path, newer }: Address) {
  const common = { service: 'tracker', access: project('maintainer') } as const;
  const one = { id: projectId, slug };
  return {
    list: defineEndpoint({
      ...common,
      id: `${id}-list`,
      method: 'GET',
      path,
      summary: `Active integrations of a project${newer}`,
      spec: 'api-v4 L404',
      params: { id: projectId },
      pagination: 'offset',
      response: z.array(integrationView),
    }),
    get: defineEndpoint({
      ...common,
      id: `${id}-get`,
      method: 'GET',
      path: `${path}/:slug`,
      summary: `One integration of a project${newer}`,
      spec: 'api-v4 L405',
      params: one,
      response: singleIntegrationView,
    }),
    set: defineEndpoint({
      ...common,
      id: `${id}-set`,
      method: 'PUT',
      path: `${path}/:slug`,
      summary: `Set an integration of a project up, or change it${newer}`,
      spec: 'api-v4 L405',
      params: { ...one, ...parameters },
      response: singleIntegrationView,
    }),
    delete: defineEndpoint({
      ...common,
      id: `${id}-delete`,
      method: 'DELETE',
      path: `${path}/:slug`,
      summary: `Remove an integration of a project${newer}`,
      spec: 'api-v4 L405',
      params: one,
      status: 204,
    }),
  };
}

export const services = integrationsAt({ id: 'integration', path: '/projects/:id/services', newer: '' });

/** The same under the name that newer clients use. */
export const integrations = integrationsAt({
  id: 'newer-integration',
  path: '/projects/:id/integrations',
  newer: ', by the address of newer clients',
});

export const integrationEndpoints = [...Object.values(services), ...Object.values(integrations)];
