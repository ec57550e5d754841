export interface IntegrationKind {
  title: string;
  /** Parameters that it must have, and those that it may have. */
  required: readonly string[];
  optional: readonly string[];
  /** Event flags that can be switched; the others stay on. */
  flags: readonly EventFlag[];
  /** What tells of events for it; null for what tells nothing. */
  courier: Courier | null;
  /** How the chat is spoken to that it posts to; null for anything else. */
  dialect: Dialect | null;
  /** Branches that it tells of, where it does not say. */
  branches: 'all' | 'default';
}

export type Courier = 'chat' | 'mail' | 'jira' | 'jenkins';

export type Dialect = 'slack' | 'teams' | 'discord' | 'google' | 'webex' | 'circuit';

/** Event flags of integration records [L404]. */
export const EVENT_FLAGS = [
  'commit_events',
  'push_events',
  'issues_events',
  'confidential_issues_events',
  'merge_requests_events',
  'tag_push_events',
  'note_events',
  'confidential_note_events',
  'pipeline_events',
  'wiki_page_events',
  'job_events',
  'comment_on_event_enabled',
] as const;
export type EventFlag = (typeof EVENT_FLAGS)[number];

const CHAT_FLAGS = [
  'push_events',
  'issues_events',
  'confidential_issues_events',
  'merge_requests_events',
  'tag_push_events',
  'note_events',
  'confidential_note_events',
  'pipeline_events',
  'wiki_page_events',
] as const satisfies readonly EventFlag[];

/** Channels of messages of a kind, where they differ from `channel`. */
export const CHANNELS = [
  'push_channel',
  'issue_channel',
  'confidential_issue_channel',
  'merge_request_channel',
  'note_channel',
  'confidential_note_channel',
  'tag_push_channel',
  'pipeline_channel',
  'wiki_page_channel',
  'deployment_channel',
] as const;

/** The address of a chat: whoever knows it posts there. */
const WEBHOOK = 'webhook';
/** Parameters that are secrets. They are sealed, and never answered. */
export const SECRETS = [WEBHOOK, 'password'] as const;
/** Parameters that say where requests with a password go. */
export const ADDRESSES = ['url', 'api_url', 'jenkins_url'] as const;

const chat = <const Title extends string, const D extends Dialect>(title: Title, dialect: D) => ({
  ...{ title, courier: 'chat' as const, dialect, branches: 'default' as const, flags: CHAT_FLAGS },
  required: [WEBHOOK] as const,
  optional: ['notify_only_broken_pipelines', 'branches_to_be_notified'] as const,
});

/** Chats that take who speaks and where from the message. */
const chatWithChannels = <const Title extends string>(title: Title) => ({
  ...chat(title, 'slack'),
  optional: [
    ...(['notify_only_broken_pipelines', 'branches_to_be_notified', 'username', 'channel'] as const),
    ...CHANNELS,
    'deployment_events',
  ] as const,
});

const SILENT = { courier: null, dialect: null, branches: 'all' } as const;

/** The integrations by slug [L409-L412]. */
export const INTEGRATION_KINDS = {
  'custom-issue-tracker': {
    title: 'Custom issue tracker',
    required: ['new_issue_url', 'issues_url', 'project_url'],
    optional: ['description', 'title'],
    flags: [],
    ...SILENT,
  },
  'emails-on-push': {
    title: 'Emails on push',
    required: ['recipients'],
    optional: ['disable_diffs', 'send_from_committer_email', 'branches_to_be_notified'],
    flags: ['push_events', 'tag_push_events'],
    courier: 'mail',
    dialect: null,
    branches: 'all',
  },
  'pipelines-email': {
    title: 'Pipeline status emails',
    required: ['recipients'],
    optional: ['notify_only_broken_pipelines', 'notify_only_default_branch', 'branches_to_be_notified'],
    flags: ['pipeline_events'],
    courier: 'mail',
    dialect: null,
    branches: 'default',
  },
  'external-wiki': {
    title: 'External wiki',
    required: ['external_wiki_url'],
    optional: [],
    flags: [],
    ...SILENT,
  },
  jira: {
    title: 'Jira',
    required: ['url', 'username', 'password'],
    optional: ['api_url', 'jira_issue_transition_id'],
    flags: ['commit_events', 'merge_requests_events', 'comment_on_event_enabled'],
    courier: 'jira',
    dialect: null,
    branches: 'all',
  },
  jenkins: {
    title: 'Jenkins',
    required: ['jenkins_url', 'project_name'],
    optional: ['username', 'password'],
    flags: ['push_events', 'merge_requests_events', 'tag_push_events'],
    courier: 'jenkins',
    dialect: null,
    branches: 'all',
  },
  slack: chatWithChannels('Slack notifications'),
  mattermost: chatWithChannels('Mattermost notifications'),
  'microsoft-teams': chat('Microsoft Teams notifications', 'teams'),
  discord: chat('Discord Notifications', 'discord'),
  'hangouts-chat': chat('Google Chat', 'google'),
  'webex-teams': chat('Webex Teams', 'webex'),
  'unify-circuit': chat('Unify Circuit', 'circuit'),
} as const satisfies Record<string, IntegrationKind>;

export type IntegrationSlug = keyof typeof INTEGRATION_KINDS;

export const INTEGRATION_SLUGS = Object.keys(INTEGRATION_KINDS) as IntegrationSlug[];

/** Slugs of those that tell somebody of events. */
export const TELLING_SLUGS = INTEGRATION_SLUGS.filter((slug) => INTEGRATION_KINDS[slug].courier !== null);

const parameters = Object.values(INTEGRATION_KINDS).flatMap(({ required, optional }) => [
  ...required,
  ...optional,
]);
type Secret = (typeof SECRETS)[number];
const isSecret = (name: string): name is Secret => SECRETS.some((secret) => secret === name);
export type PropertyName = Exclude<(typeof parameters)[number], Secret>;
export const PROPERTY_NAMES: readonly PropertyName[] = [...new Set(parameters)].filter(
  (name) => !isSecret(name),
);

export const integrationKind = (slug: IntegrationSlug): IntegrationKind => INTEGRATION_KINDS[slug];
