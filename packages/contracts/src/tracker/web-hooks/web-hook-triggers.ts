/** What hooks are told of [companions 2.3, 2.11, 7]. */
export const TRIGGERS = [
  'push_events',
  'tag_push_events',
  'issues_events',
  'confidential_issues_events',
  'note_events',
  'confidential_note_events',
  'merge_requests_events',
  'job_events',
  'pipeline_events',
  'wiki_page_events',
  'deployment_events',
  'releases_events',
  'feature_flag_events',
  'member_events',
  'subgroup_events',
  'repository_update_events',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** Those that hooks of each kind have. */
export const PROJECT_TRIGGERS = TRIGGERS.filter(
  (trigger) => !['member_events', 'subgroup_events', 'repository_update_events'].includes(trigger),
);

/** Triggers whose events are not sent yet: they stay off. */
export const UNSENT_TRIGGERS: ReadonlySet<Trigger> = new Set<Trigger>([
  'member_events',
  'subgroup_events',
  'repository_update_events',
]);

/** What a trigger is called in `X-Gitlab-Event`. */
export const EVENT_NAMES: Readonly<Record<Trigger, string>> = {
  push_events: 'Push Hook',
  tag_push_events: 'Tag Push Hook',
  issues_events: 'Issue Hook',
  confidential_issues_events: 'Confidential Issue Hook',
  note_events: 'Note Hook',
  confidential_note_events: 'Confidential Note Hook',
  merge_requests_events: 'Merge Request Hook',
  job_events: 'Job Hook',
  pipeline_events: 'Pipeline Hook',
  wiki_page_events: 'Wiki Page Hook',
  deployment_events: 'Deployment Hook',
  releases_events: 'Release Hook',
  feature_flag_events: 'Feature Flag Hook',
  member_events: 'Member Hook',
  subgroup_events: 'Subgroup Hook',
  repository_update_events: 'System Hook',
};

export const ABOUT_TRIGGERS: Readonly<Record<Trigger, string>> = {
  push_events: 'pushes to branches',
  tag_push_events: 'pushes of tags',
  issues_events: 'issues',
  confidential_issues_events: 'confidential issues',
  note_events: 'comments',
  confidential_note_events: 'comments that not everybody may read',
  merge_requests_events: 'merge requests',
  job_events: 'jobs',
  pipeline_events: 'pipelines',
  wiki_page_events: 'pages of the wiki',
  deployment_events: 'deployments',
  releases_events: 'releases',
  feature_flag_events: 'feature flags',
  member_events: 'members of the group',
  subgroup_events: 'subgroups',
  repository_update_events: 'pushes, once for all their refs',
};
