/** What a user is told of by mail: `global` asks the place above, the instance last. */
export const NOTIFICATION_LEVELS = [
  'disabled',
  'participating',
  'watch',
  'global',
  'mention',
  'custom',
] as const;
export type NotificationLevel = (typeof NOTIFICATION_LEVELS)[number];

/** Events that the level `custom` chooses from. */
export const CUSTOM_EVENTS = [
  'new_release',
  'new_note',
  'new_issue',
  'reopen_issue',
  'close_issue',
  'reassign_issue',
  'new_merge_request',
  'reopen_merge_request',
  'close_merge_request',
  'reassign_merge_request',
  'change_reviewer_merge_request',
  'merge_merge_request',
  'failed_pipeline',
  'fixed_pipeline',
  'success_pipeline',
] as const;
export type CustomEvent = (typeof CUSTOM_EVENTS)[number];

/** Events of the API family that nothing is sent of: they stay off. */
export const UNSENT_EVENTS = [
  'issue_due',
  'push_to_merge_request',
  'merge_when_pipeline_succeeds',
  'moved_project',
  'new_epic',
] as const;

export const ABOUT_EVENTS: Readonly<Record<CustomEvent | (typeof UNSENT_EVENTS)[number], string>> = {
  new_release: 'a release',
  new_note: 'a comment',
  new_issue: 'a new issue',
  reopen_issue: 'an issue that is opened again',
  close_issue: 'an issue that is closed',
  reassign_issue: 'other assignees of an issue',
  new_merge_request: 'a new merge request',
  reopen_merge_request: 'a merge request that is opened again',
  close_merge_request: 'a merge request that is closed',
  reassign_merge_request: 'other assignees of a merge request',
  change_reviewer_merge_request: 'other reviewers of a merge request',
  merge_merge_request: 'a merge',
  failed_pipeline: "a failed pipeline of the user's own",
  fixed_pipeline: "the first pipeline of the user's own that succeeds on a ref after a failed one",
  success_pipeline: "a pipeline of the user's own that succeeds",
  issue_due: 'an issue that is due; not supported here',
  push_to_merge_request: 'a push to a merge request; not supported here',
  merge_when_pipeline_succeeds: 'a merge request that waits for its pipeline; not supported here',
  moved_project: 'a project that moved; not supported here',
  new_epic: 'a new epic; not supported here',
};
