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
  'system_events',
] as const;
export type Trigger = (typeof TRIGGERS)[number];

const OF_GROUPS: readonly Trigger[] = ['member_events', 'subgroup_events'];
const OF_THE_INSTANCE: readonly Trigger[] = ['repository_update_events', 'system_events'];

/** Those that hooks of each kind have. */
export const GROUP_TRIGGERS = TRIGGERS.filter((trigger) => !OF_THE_INSTANCE.includes(trigger));
export const PROJECT_TRIGGERS = GROUP_TRIGGERS.filter((trigger) => !OF_GROUPS.includes(trigger));
/** Each hook of the instance is told of `system_events`. */
export const SYSTEM_TRIGGERS: readonly Trigger[] = [
  'push_events',
  'tag_push_events',
  'merge_requests_events',
  'repository_update_events',
];

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
  system_events: 'System Hook',
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
  member_events: 'members of the group and of those below',
  subgroup_events: 'subgroups',
  repository_update_events: 'pushes, once for all their refs',
  system_events: 'accounts, keys, groups, projects and their members',
};
