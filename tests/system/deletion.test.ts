import type { AnyCollection } from '@forgelog/eventing/read-store.ts';
import { newSshKey } from '@forgelog/signatures/testing/sample-keys.ts';
import { expect, test } from 'vitest';
import { fillProject } from '../fixtures/all-fixtures.ts';
import { createFixtures, type Person } from '../support/fixtures.ts';
import { type Forgelog, forgelogForTest } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { makePipeline } from '../support/pipelines.ts';
import { expectRebuiltAlike } from '../support/rebuilt.ts';
import { anyReceiver, REACHING_LOCAL } from '../support/receiver.ts';
import { reportErrors } from '../support/reported-errors.ts';

/** What outlives its owner on purpose. */
const HISTORY: Readonly<Record<string, string>> = {
  audit_events: 'tells what was, for good',
  audit_users: 'names of who the audit tells of',
  audit_places: 'names of what the audit tells of',
  directory_users: 'deleted users stay, as ghosts, for what they wrote',
};
/** Of which a deletion here leaves nothing because nothing here makes one. */
const ONE_FOR_ALL = [
  ...['audit_ids', 'member_ids', 'activity_numbering', 'resource_event_numbering', 'repository_log_end'],
  ...['directory_features', 'directory_settings', 'plan_limits', 'package_limits'],
  ...['topics', 'broadcast_messages', 'directory_appearance'],
  ...['oauth_applications', 'gateway_oauth_clients'],
];
const ELSEWHERE = ['repository_places'];

type Keys = ReadonlyMap<string, ReadonlySet<string | number>>;

function collectionsOf({ system }: Forgelog): AnyCollection[] {
  return system.projections.flatMap(({ collections }) => collections);
}

/** Keys of all documents of all read models, when everything that follows has happened. */
async function keysOf(forgelog: Forgelog): Promise<Keys> {
  await expect.poll(() => forgelog.system.projectors.policiesIdle()).toBe(true);
  const keys = new Map<string, Set<string | number>>();
  for (const collection of collectionsOf(forgelog)) {
    const found = await forgelog.system.ports.readStore.find(collection, { limit: 100_000 });
    keys.set(collection.name, new Set(found.map((document) => document[collection.key] as string | number)));
  }
  return keys;
}

/** Collection → keys that are in `after` and were not in `before`. */
function added(before: Keys, after: Keys): Record<string, (string | number)[]> {
  const more = [...after].map(([name, keys]) => [
    name,
    [...keys].filter((key) => !before.get(name)!.has(key)),
  ]);
  return Object.fromEntries(more.filter(([, keys]) => keys!.length > 0));
}

test('deleting a project, a group or a user deletes everything it owns', async () => {
  const forgelog = await forgelogForTest();
  const make = createFixtures(forgelog);
  const owner = await make.person('owner');
  const friend = await make.person('friend');
  const partners = await make.group('partners', null, { visibility: 'public' });

  /** One of everything that can be in a project; `by` makes what a maintainer may. */
  async function fill(id: number, by: Person): Promise<void> {
    const at = `/projects/${id}`;
    await must(forgelog.put('/application/settings', REACHING_LOCAL));
    const commit = { branch: 'main', commit_message: 'First', content: 'text' };
    const { branch } = await must(forgelog.post(`${at}/repository/files/README.md`, commit, by));
    await must(forgelog.post(`${at}/repository/tags`, { tag_name: 'v1', ref: 'main' }, by));
    await must(forgelog.post(`${at}/members`, { user_id: friend.id, access_level: 30 }, by));
    await must(forgelog.post(`${at}/share`, { group_id: partners.id, group_access: 10 }, by));
    await must(forgelog.post(`${at}/star`, {}, friend));
    await fillProject(at, {
      post: (path, body = {}) => must(forgelog.post(path, body, by)),
      put: (path, body) => must(forgelog.put(path, body, by)),
    });
    await review(at, branch, by);
    const short = await must(forgelog.post(`${at}/labels`, { name: 'short-lived', color: 'red' }, by));
    await must(forgelog.delete(`${at}/labels/${short.id}`, by));
    const dropped = await must(forgelog.post(`${at}/milestones`, { title: 'short-lived' }, by));
    await must(forgelog.delete(`${at}/milestones/${dropped.id}`, by));
    const told = { url: await anyReceiver(), push_events: false };
    const hook = await must(forgelog.post(`${at}/hooks`, told, by));
    await must(forgelog.post(`${at}/hooks/${hook.id}/test/issues_events`, {}, by));
    await must(forgelog.post(`${at}/push_rule`, { max_file_size: 5 }, by));
    await reportErrors(forgelog, at, 'engine is undefined');
    await must(forgelog.post(`${at}/feature_flags_client/reset_token`, {}, by));
    const wiki = { external_wiki_url: 'https://wiki.example.org' };
    await must(forgelog.put(`${at}/services/external-wiki`, wiki, by));
    await makePipeline(forgelog, id);
    for (const title of ['stays', 'goes first']) {
      const { iid } = await must(forgelog.post(`${at}/issues`, { title, assignee_ids: [friend.id] }, by));
      await must(forgelog.post(`${at}/issues/${iid}/notes`, { body: 'note' }, by));
      await must(forgelog.post(`${at}/issues/${iid}/discussions`, { body: 'thread' }, friend));
      await must(forgelog.post(`${at}/issues/${iid}/award_emoji`, { name: 'tada' }, friend));
      await must(forgelog.post(`${at}/issues/${iid}/todo`, {}, by));
      await must(forgelog.post(`${at}/issues/${iid}/unsubscribe`, {}, by));
      await must(forgelog.post(`${at}/issues/${iid}/add_spent_time`, { duration: '1h' }, by));
      await must(forgelog.put(`${at}/issues/${iid}`, { state_event: 'close' }, by));
      // As owners may.
      if (title === 'goes first') await must(forgelog.delete(`${at}/issues/${iid}`));
    }
    await must(forgelog.put(at, { path: `moved-${id}`, topics: ['engines'], archived: false }));
    // As administrators may.
    await must(forgelog.post(`${at}/repository_storage_moves`));
    await must(forgelog.put(`${at}/custom_attributes/town`, { value: 'Ghent' }));
    await must(forgelog.post(`${at}/access_requests`));
  }

  /** A merge request with a thread on a line of it. */
  async function review(at: string, target_branch: string, by: Person): Promise<void> {
    const added = {
      start_branch: target_branch,
      branch: 'reviewed',
      commit_message: 'Second',
      content: 'new',
    };
    await must(forgelog.post(`${at}/repository/files/new.txt`, added, by));
    const request = { source_branch: 'reviewed', target_branch, title: 'Review', description: 'Closes #1' };
    const { iid, diff_refs } = await must(forgelog.post(`${at}/merge_requests`, request, by));
    const position = { ...diff_refs, position_type: 'text', new_path: 'new.txt', new_line: 1 };
    await must(forgelog.post(`${at}/merge_requests/${iid}/discussions`, { body: 'Why?', position }, by));
  }

  /** A merge request from a fork in another group. */
  async function contribute(origin: number, namespace_id: number, by: Person): Promise<void> {
    const named = { namespace_id, path: 'forked', name: 'forked' };
    const { id } = await must(forgelog.post(`/projects/${origin}/fork`, named, by));
    const change = { start_branch: 'main', branch: 'forked', commit_message: 'Third', content: 'new' };
    await must(forgelog.post(`/projects/${id}/repository/files/forked.txt`, change, by));
    const request = { source_branch: 'forked', target_branch: 'main', title: 'Contribution' };
    const wanted = { ...request, target_project_id: origin, allow_collaboration: true };
    await must(forgelog.post(`/projects/${id}/merge_requests`, wanted, by));
  }

  async function project(by: Person, more: object): Promise<number> {
    const { id } = await must(forgelog.post('/projects', { name: 'app', visibility: 'public', ...more }, by));
    await fill(id, by);
    return id;
  }

  async function group(by: Person): Promise<number> {
    const { id } = await must(forgelog.post('/groups', { name: 'team', path: 'team' }, by));
    const below = { name: 'sub', path: 'sub', parent_id: id };
    const { id: sub } = await must(forgelog.post('/groups', below, by));
    const projects: number[] = [];
    for (const at of [id, sub]) {
      await must(forgelog.post(`/groups/${at}/members`, { user_id: friend.id, access_level: 20 }, by));
      await must(forgelog.post(`/groups/${at}/boards`, { name: 'work' }, by));
      const weeks = { title: 'weeks', start_date: '2030-01-07', duration_in_weeks: 1 };
      const cadence = { ...weeks, iterations_in_advance: 1 };
      await must(forgelog.post(`/groups/${at}/iteration_cadences`, cadence, by));
      const epic = await must(forgelog.post(`/groups/${at}/epics`, { title: 'aim' }, by));
      await must(forgelog.post(`/groups/${at}/epics/${epic.id}/notes`, { body: 'note' }, friend));
      await must(forgelog.post(`/groups/${at}/share`, { group_id: partners.id, group_access: 10 }, by));
      await must(forgelog.post(`/groups/${at}/repository_storage_moves`));
      await must(forgelog.put(`/groups/${at}/custom_attributes/town`, { value: 'Ghent' }));
      await must(forgelog.post(`/groups/${at}/access_requests`));
      projects.push(await project(by, { namespace_id: at, visibility: 'private' }));
    }
    await contribute(projects[0]!, sub, by);
    const closed = { shared_runners_setting: 'disabled_and_unoverridable' };
    await must(forgelog.put(`/groups/${sub}`, closed, by));
    return id;
  }

  // Everything that counts has counted once, and there is something to stay.
  const stays = await project(owner, {});
  const { iid } = await must(forgelog.post(`/projects/${stays}/issues`, { title: 'about' }, owner));

  async function authorize({ username, password }: { username: string; password: string }): Promise<void> {
    const body = new URLSearchParams({ grant_type: 'password', username, password });
    expect((await fetch(`${forgelog.url}/oauth/token`, { method: 'POST', body })).status).toBe(200);
  }

  async function user(): Promise<number> {
    const account = { name: 'x', username: 'leaver', email: 'leaver@example.org', password: 'secret-secret' };
    const leaver = await must(forgelog.post('/users', { ...account, private_profile: true }));
    const scopes = ['api'];
    const { token } = await must(
      forgelog.post(`/users/${leaver.id}/personal_access_tokens`, { name: 't', scopes }),
    );
    const by = { id: leaver.id, username: 'leaver', token };
    await must(forgelog.post('/user/keys', { title: 'Laptop', key: newSshKey() }, by));
    await must(forgelog.post('/user/emails', { email: 'leaver@other.example' }, by));
    await authorize(account);
    const own = await must(forgelog.post('/snippets', { title: 'own', file_name: 'a', content: 'a' }, by));
    await must(forgelog.post(`/snippets/${own.id}/repository_storage_moves`));
    await project(by, {});
    await group(by);
    const at = `/projects/${stays}`;
    await must(forgelog.post(`${at}/members`, { user_id: leaver.id, access_level: 30 }, owner));
    await must(forgelog.post(`${at}/star`, {}, by));
    await must(forgelog.put('/user/status', { message: 'away' }, by));
    await must(forgelog.post(`/groups/${partners.id}/access_requests`, {}, by));
    await must(forgelog.put(`/users/${leaver.id}/custom_attributes/town`, { value: 'Ghent' }));
    await must(forgelog.post(`/users/${owner.id}/follow`, {}, by));
    await must(forgelog.post(`${at}/issues/${iid}/todo`, {}, by));
    await must(forgelog.post(`${at}/issues/${iid}/subscribe`, {}, by));
    return leaver.id;
  }

  // Counts of what ended are cleared as soon as an event has told them.
  const lasting = collectionsOf(forgelog).filter(({ name }) => !name.endsWith('_ended'));
  const untouched = new Set(lasting.map(({ name }) => name));
  const ways: [make: () => Promise<string>, query: string][] = [
    [async () => `/projects/${await project(owner, { name: 'second' })}`, ''],
    [async () => `/groups/${await group(owner)}`, ''],
    [async () => `/users/${await user()}`, '?hard_delete=true'],
  ];
  for (const [create, query] of ways) {
    const before = await keysOf(forgelog);
    const path = await create();
    for (const name of Object.keys(added(before, await keysOf(forgelog)))) untouched.delete(name);
    await must(forgelog.delete(path + query));
    const left = added(before, await keysOf(forgelog));
    for (const name of Object.keys(HISTORY)) delete left[name];
    expect(left, path).toEqual({});
  }
  const expected = [...ONE_FOR_ALL, ...ELSEWHERE].toSorted();
  expect(
    [...untouched].toSorted(),
    'a collection gets no document here: make one by inProject of its fixture in tests/fixtures, or in fill()',
  ).toEqual(expected);
  await expectRebuiltAlike(forgelog);
});
