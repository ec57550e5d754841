import { endsOne } from '@forgelog/contracts/lifetime.ts';
import type { AnyCollection } from '@forgelog/eventing/read-store.ts';
import { expect, test } from 'vitest';
import { startForgelog } from '../support/forgelog.ts';

/** Fields that name an owner, and the event that ends it. */
const OWNERS: Readonly<Record<string, string>> = {
  projectId: 'ProjectDeleted',
  groupId: 'GroupDeleted',
  userId: 'UserDeleted',
  issueId: 'IssueDeleted',
  noteId: 'NoteDeleted',
  pipelineId: 'PipelineDeleted',
};

/** Whose documents stay until a policy has appended the event that ends each. */
const UNTIL_TOLD = [
  'open_memberships',
  'open_project_group_links',
  'open_group_group_links',
  'open_tokens',
  'open_authorizations',
  'deploy_key_projects',
  'runners',
  'project_runners',
];

const ends = (collection: AnyCollection) => (collection.ownedBy ?? []).map(({ event }) => event);

test('a collection that has an owner is declared to be deleted with it', async () => {
  const { system } = await startForgelog();
  const collections = system.projections.flatMap(({ collections }) => collections);
  expect(collections.length).toBeGreaterThan(20);
  const owned = collections.filter(({ name }) => !UNTIL_TOLD.includes(name));
  const undeclared = owned.flatMap((collection) =>
    Object.keys(collection.fields)
      .filter((field) => OWNERS[field] && !ends(collection).includes(OWNERS[field]))
      .map((field) => `${collection.name}.${field}`),
  );
  expect(undeclared, 'ownedBy of its collection says with which event its documents end').toEqual([]);
});

const MEMBERSHIPS = 'each membership has an event that ends it';
const TOKENS = 'each token has an event that ends it';
/** Owned collections whose documents are no records of one kind, and what a consumer knows instead. */
const NO_RECORDS: Readonly<Record<string, string>> = {
  ci_groups_without_shared_runners: 'a part of each group',
  ci_project_settings: 'a part of each project',
  directory_emails: 'the same as user_emails',
  directory_fork_requests: 'a part of each merge request',
  directory_former_paths: 'redirects, which follow from renames',
  error_tracking: 'one of each project, which ends with it',
  ended_labels: 'labels that are gone, as their deletions say',
  ended_milestones: 'milestones that are gone, as their deletions say',
  directory_members: MEMBERSHIPS,
  directory_runners_tokens: 'a part of each project and group',
  members: MEMBERSHIPS,
  member_users: 'a part of each user',
  access_tokens: TOKENS,
  gateway_tokens: TOKENS,
  gateway_oauth_tokens: 'each authorization has an event that ends it',
  gateway_deploy_tokens: 'a copy of each deploy token, by its hash',
  gateway_passwords: 'a part of each user',
  gateway_jobs: 'a part of each job',
  feature_flags_clients: 'a part of each project',
  group_project_sizes: 'a part of each project',
  debian_files: 'a part of each file of a package',
  group_package_files: 'a part of each file of a package',
  project_package_files: 'a part of each file of a package',
  repository_places: 'a part of each project',
  project_custom_attributes: 'a copy of those of projects, for their lists',
  project_groups: 'a part of each group',
  project_topics: 'a part of each project',
  project_issues: 'a part of each issue',
  activity_events: 'told by other events',
  activity_subjects: 'a part of each issue',
  activity_private_profiles: 'a part of each user',
  todo_targets: 'a part of each issue',
  merge_request_heads: 'what refs of git name, of merge requests that other services tell of',
  merge_request_sources: 'a part of the merge request: the branch that it merges',
  merge_request_versions: 'a part of each merge request',
  merge_settings: 'a part of each project',
  hook_projects: 'a part of each project',
  hook_wiki_pages: 'names of pages, deleted ones too, for messages of hooks',
  web_hook_deliveries: 'the newest of each hook; the log has all',
  note_text_epics: 'who may read epics, for searches in notes',
  note_text_snippets: 'visibilities of snippets, for searches in notes',
  note_text_targets: 'who may read what notes are on, for searches in notes',
  note_texts: 'texts of notes, for searches: notes are the records',
  positions: 'a part of each discussion',
  wiki_texts: 'texts of each page of a wiki, which its events tell',
  snippet_files: 'texts of each snippet, which its events tell',
  snippet_readers: 'a part of each snippet, of which repo tells',
  resource_events: 'told of what happened to a target, from events of that',
  suggestions: 'a part of each note',
  branch_tips: 'told by RefUpdated',
  issue_closers: 'a part of each merge request',
  approval_branches: 'a part of each protected branch, of which repo tells',
};

test('a lifetime publishes with what the documents of each owned collection end', async () => {
  const { system } = await startForgelog();
  const owned = system.projections.flatMap(({ handles, collections }) =>
    collections
      .filter((collection: AnyCollection) => ends(collection).length > 0)
      .map((collection: AnyCollection) => ({ handles, collection })),
  );
  const named = owned.filter(({ collection }) => collection.holds);
  expect(named.length).toBeGreaterThan(6);
  for (const { handles, collection } of named) {
    const { lifetime } = collection.holds!;
    const published = lifetime.ends.map(({ event }) => event);
    const many = lifetime.ends.filter((end) => !endsOne(lifetime, end)).map(({ event }) => event);
    expect(published, `${lifetime.kind} ends with what ownedBy of ${collection.name} says`).toEqual(
      expect.arrayContaining(ends(collection)),
    );
    expect(handles, `${collection.name} loses each ${lifetime.kind} that ends`).toEqual(
      expect.arrayContaining(many),
    );
  }
  const others = owned.filter(({ collection }) => !collection.holds).map(({ collection }) => collection.name);
  expect(
    others.toSorted(),
    'a collection of records of a kind says so under holds; one of anything else is explained here',
  ).toEqual(Object.keys(NO_RECORDS).toSorted());
});
