export interface IntegrationKind {
  title: string;
  /** Parameters that it must have, and those that it may have. */
  required: readonly string[];
  optional: readonly string[];
  /** Event flags that can be switched; the others stay on. */
  flags: readonly EventFlag[];
}

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

/** The integrations by slug [L409-L411]. Those that post to chats [L412] are not served. */
export const INTEGRATION_KINDS = {
  'custom-issue-tracker': {
    title: 'Custom issue tracker',
    required: ['new_issue_url', 'issues_url', 'project_url'],
    optional: ['description', 'title'],
    flags: ['push_events'],
  },
  'emails-on-push': {
    title: 'Emails on push',
    required: ['recipients'],
    optional: ['disable_diffs', 'send_from_committer_email', 'branches_to_be_notified'],
    flags: ['push_events', 'tag_push_events'],
  },
  'external-wiki': {
    title: 'External wiki',
    required: ['external_wiki_url'],
    optional: [],
    flags: [],
  },
} as const satisfies Record<string, IntegrationKind>;

export type IntegrationSlug = keyof typeof INTEGRATION_KINDS;

export const INTEGRATION_SLUGS = Object.keys(INTEGRATION_KINDS) as IntegrationSlug[];

const parameters = Object.values(INTEGRATION_KINDS).flatMap(({ required, optional }) => [
  ...required,
  ...optional,
]);
export type PropertyName = (typeof parameters)[number];
export const PROPERTY_NAMES: readonly PropertyName[] = [...new Set(parameters)];

export const integrationKind = (slug: IntegrationSlug): IntegrationKind => INTEGRATION_KINDS[slug];
