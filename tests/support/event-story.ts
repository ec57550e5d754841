import { recordTokenUses } from '@forgelog/contracts/admin/access-tokens/access-token.operations.ts';
import { events } from '@forgelog/contracts/events.ts';
import { INTEGRATION_DISABLED } from '@forgelog/contracts/tracker/integrations/integration.events.ts';
import { routeStream } from '@forgelog/directory/name.decider.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { createCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { beginEpoch } from '@forgelog/eventing/log-identity.ts';
import { sampleDeb } from '@forgelog/repo/testing/sample-deb.ts';
import { createUser } from './accounts.ts';
import { type Calls, callsBy } from './calls.ts';
import { eventually } from './eventually.ts';
import type { Forgelog } from './forgelog.ts';
import { formWith } from './form-with.ts';
import { record } from './inhabitants.ts';
import { inhabit } from './inhabited.ts';
import { tellMergeRequests } from './merge-request-story.ts';
import { tellBridge, tellPipelines } from './pipeline-story.ts';

/** Deleted places can be restored, so that there are events of that. */
export const STORY_SETTINGS = { DELETION_ADJOURNED_PERIOD: '7' };

const STORY_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDU6M1Gm04ZG8962pPcJyfLp17wcHbY/eTSYbYBFLBEJ';

const PERSON = 'Ada Lovelace <ada@engines.example> 1763640000 +0000';
/** A commit of a wiki, with a picture. */
const PUSHED = {
  pushed: `tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor ${PERSON}\ncommitter ${PERSON}\n\nShow it\n`,
  pageEvents: 0,
  files: [{ path: 'crank.png', content: 'iVBORw0KGgo=' }],
};

const DEPLOY_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBC5DyfGuAVDmEnRlCDotB83DV4wiaNaDZ+OWlpg8GBC';

/**
 * Lets an instance have an event of every type, in one order: the examples of the contract are taken from it. An event
 * type that is new needs a line here. The instance is one with `STORY_SETTINGS`.
 */
export async function tellStory(forgelog: Forgelog): Promise<void> {
  const calls = oneAfterTheOther(forgelog);
  const { post, put } = calls;
  const there = await inhabit(calls);
  const project = `/projects/${there.projectId}`;
  const issue = `${project}/issues/${there.issueIid}`;

  await put(`/users/${there.userId}`, { name: 'Ada Lovelace', location: 'London' });
  await post(`/users/${there.victimId}/block`);
  for (const done of ['unblock', 'deactivate', 'activate', 'ban', 'unban'])
    await post(`/users/${there.victimId}/${done}`);
  for (const done of ['follow', 'unfollow', 'follow']) await post(`/users/${there.userId}/${done}`);
  for (const message of ['Out for lunch', 'Back again'])
    await put('/user/status', { emoji: 'coffee', message });
  await forgelog.system.ports.operations.call(
    recordTokenUses,
    { uses: [{ tokenId: there.tokenId, usedAt: '2026-11-20T11:59:48.000Z' }] },
    { principal: null, operationId: newEventId(), metadata: SYSTEM_METADATA },
  );
  await calls.delete(`/personal_access_tokens/${there.tokenId}`);
  await post('/features/debian_packages', { value: 'true' });
  await post('/features/debian_packages', { value: 50, key: 'percentage_of_actors' });
  await calls.delete('/features/debian_packages');
  const { body: told } = await post('/broadcast_messages', { message: 'The server rests on Sunday' });
  await put(`/broadcast_messages/${told.id}`, { dismissable: true });
  await calls.delete(`/broadcast_messages/${told.id}`);
  for (const value of ['Antwerp', 'Ghent']) await put(`${project}/custom_attributes/location`, { value });
  await calls.delete(`${project}/custom_attributes/location`);
  const { body: topic } = await post('/topics', { name: 'steam', title: 'Steam engines' });
  await put(`/topics/${topic.id}`, { description: 'All that runs on steam' });
  await calls.delete(`/topics/${topic.id}`);
  for (const title of ['Engines', 'All engines']) await put('/application/appearance', { title });
  for (const sign_in_text of ['Welcome', 'Welcome aboard'])
    await put('/application/settings', { sign_in_text });
  for (const npm_max_file_size of [1_000_000, 2_000_000])
    await put('/application/plan_limits', { plan_name: 'default', npm_max_file_size });
  const { body: bot } = await post(`${project}/access_tokens`, { name: 'Deployment', scopes: ['api'] });
  await calls.delete(`${project}/access_tokens/${bot.id}`);
  const { body: machine } = await post(`${project}/deploy_tokens`, {
    ...{ name: 'Deployment', scopes: ['read_repository'], expires_at: '2031-01-31T00:00:00Z' },
  });
  await calls.delete(`${project}/deploy_tokens/${machine.id}`);
  const { body: email } = await post('/user/emails', { email: 'ada@engines.example' });
  await post(`/users/1/emails`, { email: email.email, skip_confirmation: true });
  await calls.delete(`/user/emails/${email.id}`);
  const { body: key } = await post('/user/keys', { title: 'Laptop', key: STORY_KEY });
  await calls.delete(`/user/keys/${key.id}`);

  await put(`/groups/${there.groupId}`, { description: 'All that moves', lfs_enabled: false });
  await tellEpics(calls, `/groups/${there.groupId}/epics`);
  const wiki = `/groups/${there.groupId}/wikis`;
  await post(wiki, { title: 'Crank', content: 'Turn it.' });
  await put(`${wiki}/Crank`, { title: 'Handle', content: 'Turn it twice.' });
  await calls.delete(`${wiki}/Handle`);
  const { groupId, projectId } = there;
  const ofGroup = { type: 'GroupWikiCommitPushed', data: { groupId, ...PUSHED } };
  await record(forgelog, `group-wiki-${groupId}`, 1, ofGroup);
  const ofProject = { type: 'WikiCommitPushed', data: { projectId, ...PUSHED } };
  await record(forgelog, `wiki-${projectId}`, 1, ofProject);
  await post(`${wiki}/attachments`, formWith({ name: 'handle.png' }));
  await put(`/groups/${there.groupId}/members/${there.userId}`, {
    access_level: 30,
    expires_at: '2030-01-31',
  });
  await calls.delete(`/groups/${there.groupId}/members/${there.userId}`);
  await put(`${project}/members/${there.victimId}`, { access_level: 40, expires_at: '2030-01-31' });
  await calls.delete(`${project}/members/${there.victimId}`);

  await post(`/groups/${there.groupId}/share`, {
    group_id: there.victimGroupId,
    group_access: 30,
    expires_at: '2031-01-31',
  });
  await calls.delete(`/groups/${there.groupId}/share/${there.victimGroupId}`);

  await post(`/groups/${there.victimGroupId}/transfer`, { group_id: there.groupId });
  await post(`/groups/${there.victimGroupId}/transfer`);

  await put(project, { description: 'An engine', merge_method: 'ff' });
  await post(`${project}/share`, {
    group_id: there.victimGroupId,
    group_access: 30,
    expires_at: '2031-01-31',
  });
  await calls.delete(`${project}/share/${there.victimGroupId}`);
  await post(`${project}/uploads`, formWith({ name: 'notes.txt' }));
  await tellPackages(calls, project);
  await put(`/projects/${there.victimProjectId}`, { path: 'renamed' });
  await put(`/projects/${there.victimProjectId}/transfer`, { namespace: there.groupId });
  await post(`${project}/archive`);
  await post(`${project}/unarchive`);
  const { body: fork } = await post(`${project}/fork`, { path: 'forked-engine', name: 'Forked engine' });
  await calls.delete(`/projects/${fork.id}/fork`);
  await post(`${project}/star`);
  await post(`${project}/unstar`);

  await put(issue, { title: 'The engine stops at night', labels: 'bug,night' });
  await put(`${issue}/notes/${there.noteId}`, { body: 'Seen here too, twice' });
  await post(`${issue}/discussions/${there.discussionId}/notes`, { body: 'Since the last release' });
  const { body: award } = await post(`${issue}/award_emoji`, { name: 'thumbsup' });
  await calls.delete(`${issue}/award_emoji/${award.id}`);
  await calls.delete(`${issue}/notes/${there.noteId}`);
  await post(`${issue}/time_estimate`, { duration: '3h30m' });
  await post(`${issue}/reset_spent_time`);
  await post(`/todos/${there.todoId}/mark_as_done`);
  await post(`${issue}/unsubscribe`);
  await post(`${issue}/subscribe`);
  const { body: other } = await post(`${project}/issues`, { title: 'The pump leaks' });
  await put(`${issue}/reorder`, { move_before_id: other.id });
  const { body: epic } = await post(`/groups/${there.groupId}/epics`, { title: 'Run without a stop' });
  await put(issue, { epic_id: epic.id });
  await tellIterations(calls, `/groups/${there.groupId}`, issue);
  await post(`/groups/${there.groupId}/epics/${epic.iid}/epics`, { title: 'Grease it' });
  const linked = { target_project_id: there.projectId, target_issue_iid: other.iid };
  const { body: link } = await post(`${issue}/links`, linked);
  await calls.delete(`${issue}/links/${link.id}`);
  await post(`${project}/issues/${other.iid}/notes`, { body: 'Under the *seal*.' });
  await post(`${project}/issues/${other.iid}/move`, { to_project_id: there.victimProjectId });
  await put(issue, { state_event: 'close' });
  await put(issue, { state_event: 'reopen' });
  await calls.delete(issue);

  await tellLabels(calls, project);
  await tellProtection(calls, project);
  await tellErrors(calls, project);
  await tellChats(forgelog, calls, project);
  await tellHooks(forgelog, calls, project);
  await tellNotifications(forgelog, calls, project);
  await tellReleases(calls, project);
  await tellDeployments(calls, project);
  await tellFeatureFlags(calls, project);
  await tellVariables(calls, project);
  await tellRunners(calls, project, `/projects/${there.victimProjectId}`);
  await tellMergeRequests(forgelog, calls, there.projectId);
  await tellPipelines(forgelog, there.projectId, there.userId);
  await tellBridge(calls, project);
  await tellSchedules(forgelog, calls, there.projectId);
  await tellFailedCreations(forgelog, calls);
  await tellStorageMoves(forgelog, calls, there.projectId);
  const victim = `/projects/${there.victimProjectId}`;
  await post(`${victim}/star`);
  await post(`${victim}/environments`, { name: 'production' });
  await post(`${victim}/issues`, { title: 'Goes with its project' });
  await tellDeletion(calls, victim, 'path_with_namespace');
  await tellDeletion(calls, `/groups/${there.victimGroupId}`, 'full_path');
  const { id } = await createUser(calls, { username: 'short-lived-user' });
  await post(`/users/${id}/keys`, { title: 'Laptop', key: STORY_KEY });
  await calls.delete(`/users/${id}`);
  await tellDeployKeys(calls, project);
  await tellAccessRequests(forgelog, calls, [project, `/groups/${there.groupId}`]);
  const { store, ports } = forgelog.system;
  await beginEpoch({ store, catalogue: createCatalogue(events), clock: ports.clock });
  await tellOauth(forgelog, calls);
}

async function tellDeployKeys({ post, put, delete: remove }: Calls, project: string) {
  const keys = `${project}/deploy_keys`;
  const { body: key } = await post(keys, { title: 'Machine', key: `${DEPLOY_KEY} machine` });
  await put(`${keys}/${key.id}`, { title: 'Builder', can_push: true });
  await remove(`${keys}/${key.id}`);
}

/** A user asks twice, is denied and then takes it back. */
async function tellAccessRequests(forgelog: Forgelog, calls: Calls, places: readonly string[]) {
  const { id, token } = await createUser(forgelog, { username: 'asker', admin: true });
  const asker = oneAfterTheOther(forgelog, token);
  for (const place of places) {
    await asker.post(`${place}/access_requests`);
    await calls.delete(`${place}/access_requests/${id}`);
    await asker.post(`${place}/access_requests`);
    await asker.delete(`${place}/access_requests/${id}`);
  }
}

async function tellLabels({ post, put, delete: remove }: Calls, project: string): Promise<void> {
  const labels = `${project}/labels`;
  const { body: label } = await post(labels, { name: 'urgent', color: '#d9534f', priority: 1 });
  await put(`${labels}/${label.id}`, { new_name: 'now', description: 'Before all others' });
  await post(`${labels}/${label.id}/subscribe`);
  await post(`${labels}/${label.id}/unsubscribe`);
  await remove(`${labels}/${label.id}`);
}

/** Marks a project or group for deletion, restores it, marks it again and deletes it for good. */
async function tellDeletion(
  { post, get, delete: remove }: Calls,
  place: string,
  path: string,
): Promise<void> {
  const { body } = await get(place);
  await remove(place);
  await post(`${place}/restore`);
  await remove(place);
  await remove(`${place}?permanently_remove=true&full_path=${encodeURIComponent(body[path])}`);
}

async function tellPackages({ put, delete: remove }: Calls, project: string): Promise<void> {
  const address = `${project}/packages/generic/engine-tools/1.2.0/tools.tar.gz?select=package_file`;
  const { body: file } = await put(address, formWith({ name: 'tools.tar.gz' }));
  await put(`${address}&status=hidden`, formWith({ name: 'tools.tar.gz', content: 'newer content' }));
  const { package_id: id } = file;
  await remove(`${project}/packages/${id}/package_files/${file.id}`);
  await remove(`${project}/packages/${id}`);
}

async function tellProtection({ post, put, call, delete: remove }: Calls, project: string): Promise<void> {
  const branches = `${project}/protected_branches`;
  await post(branches, { name: 'release/*', merge_access_level: 30 });
  await call('PATCH', `${branches}/release%2F*`, { json: { allow_force_push: true } });
  await remove(`${branches}/release%2F*`);
  const badge = { name: 'Built', link_url: 'https://ci.example.org/%{project_path}' };
  const image_url = 'https://ci.example.org/%{project_path}/%{default_branch}.svg';
  const { body: made } = await post(`${project}/badges`, { ...badge, image_url });
  await call('PUT', `${project}/badges/${made.id}`, { json: { name: 'Built at night' } });
  await remove(`${project}/badges/${made.id}`);
  const distributions = `${project}/debian_distributions`;
  await post(distributions, { codename: 'bookworm', suite: 'stable', components: ['main', 'tools'] });
  await call('PUT', `${distributions}/bookworm`, { json: { label: 'engines' } });
  const deb = { name: 'engine-tools_1.2.0_amd64.deb', content: new Uint8Array(sampleDeb()) };
  const inMain = '?distribution=bookworm&component=main';
  await put(`${project}/packages/debian/${deb.name}${inMain}`, formWith(deb));
  await remove(`${distributions}/bookworm`);
  await call('PATCH', `${project}/error_tracking/settings`, { json: { active: true } });
  await call('PATCH', `${project}/error_tracking/settings`, { json: { active: true, integrated: true } });
  const text = { file_name: 'engine.py', content: 'print(1)' };
  const { body: snippet } = await post(`${project}/snippets`, { title: 'Counting', ...text });
  const snippets = `${project}/snippets/${snippet.id}`;
  const change = { visibility: 'public', content: 'print(2)' };
  await call('PUT', snippets, { json: change });
  await remove(snippets);
  const { body: page } = await post(`${project}/wikis`, { title: 'Crank', content: 'Turn it.' });
  const wikiPage = `${project}/wikis/${page.slug}`;
  await call('PUT', wikiPage, { json: { content: 'Turn it twice.' } });
  await call('PUT', wikiPage, { json: { title: 'Handle' } });
  await remove(`${project}/wikis/Handle`);
  await post(`${project}/wikis/attachments`, formWith({ name: 'crank.png' }));
  const wiki = `${project}/services/external-wiki`;
  await call('PUT', wiki, { json: { external_wiki_url: 'https://wiki.example.org' } });
  await call('PUT', wiki, { json: { external_wiki_url: 'https://wiki.example.org/engines' } });
  await remove(wiki);
  const { body: milestone } = await post(`${project}/milestones`, { title: '1.0', due_date: '2030-04-01' });
  await call('PUT', `${project}/milestones/${milestone.id}`, { json: { description: 'First voyage' } });
  await remove(`${project}/milestones/${milestone.id}`);
  const { body: board } = await post(`${project}/boards`, { name: 'Development' });
  const { body: doing } = await post(`${project}/labels`, { name: 'doing', color: '#d9534f' });
  await post(`${project}/boards/${board.id}/lists`, { label_id: doing.id });
  await call('PUT', `${project}/boards/${board.id}`, { json: { weight: 3 } });
  await remove(`${project}/boards/${board.id}`);
  const tags = `${project}/protected_tags`;
  await post(tags, { name: 'v*', create_access_level: 30 });
  await remove(`${tags}/v*`);
  const rule = `${project}/push_rule`;
  await post(rule, { commit_message_regex: '.', file_name_regex: '\\.exe$' });
  await call('PUT', rule, { json: { max_file_size: 10 } });
  await remove(rule);
}

/** A single process has one storage, so that nothing arrives at another. */
async function tellStorageMoves(forgelog: Forgelog, { post }: Calls, projectId: number): Promise<void> {
  await post('/snippet_repository_storage_moves', { source_storage_name: 'default' });
  await post(`/projects/${projectId}/repository_storage_moves`, { destination_storage_name: 'default' });
  const change = { changes: { storage: 'default' }, previous: { storage: 'second' } };
  const arrived = { type: 'RepositoryMoved', data: { projectId, moveId: 7, ...change } };
  await record(forgelog, `repository-${projectId}`, null, arrived);
}

async function tellIterations(
  { post, put, delete: remove }: Calls,
  group: string,
  issue: string,
): Promise<void> {
  const cadences = `${group}/iteration_cadences`;
  const { body: cadence } = await post(cadences, { title: 'Fortnights', automatic: false });
  await put(`${cadences}/${cadence.id}`, { roll_over: true });
  const days = { start_date: '2030-01-07', due_date: '2030-01-20' };
  const { body: iteration } = await post(`${group}/iterations`, { cadence_id: cadence.id, ...days });
  await put(`${group}/iterations/${iteration.id}`, { title: 'Calm waters' });
  await put(issue, { iteration_id: iteration.id });
  await remove(`${group}/iterations/${iteration.id}`);
  await remove(`${cadences}/${cadence.id}`);
}

async function tellEpics({ post, put, delete: remove }: Calls, epics: string): Promise<void> {
  await post(epics, { title: 'Cross the ocean', due_date_is_fixed: true, due_date_fixed: '2031-04-01' });
  await put(`${epics}/1`, { description: 'By *sail*.' });
  await put(`${epics}/1`, { state_event: 'close' });
  await put(`${epics}/1`, { state_event: 'reopen' });
  await remove(`${epics}/1`);
}

async function tellReleases({ post, put, delete: remove }: Calls, project: string): Promise<void> {
  const link = { name: 'Linux binary', url: 'https://example.org/linux-amd64', filepath: '/bin/linux-amd64' };
  const given = { tag_name: 'v1.0.0', ref: 'main', name: 'The first one', description: 'It runs at night' };
  await post(`${project}/releases`, { ...given, assets: { links: [{ ...link, link_type: 'package' }] } });
  const release = `${project}/releases/v1.0.0`;
  await post(`${project}/milestones`, { title: 'The first engine' });
  await put(release, { name: 'The first engine', milestones: ['The first engine'] });
  const more = { name: 'Handbook', url: 'https://example.org/handbook', link_type: 'runbook' };
  const { body: added } = await post(`${release}/assets/links`, more);
  await put(`${release}/assets/links/${added.id}`, { url: 'https://example.org/handbook/1' });
  await remove(`${release}/assets/links/${added.id}`);
  await post(`${project}/releases`, { tag_name: 'v1.1.0', ref: 'main', released_at: '2031-01-01' });
  await remove(`${project}/releases/v1.1.0`);
}

async function tellDeployments({ post, put, delete: remove }: Calls, project: string): Promise<void> {
  const period = { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1', cron_timezone: 'Europe/London' };
  const { body: freeze } = await post(`${project}/freeze_periods`, period);
  await put(`${project}/freeze_periods/${freeze.id}`, { freeze_end: '0 8 * * 1' });
  await remove(`${project}/freeze_periods/${freeze.id}`);
  const environments = `${project}/environments`;
  const { body: review } = await post(environments, { name: 'review/night' });
  const at = `${environments}/${review.id}`;
  await put(at, { external_url: 'https://night.example.org' });
  await post(`${at}/stop`);
  await remove(`${environments}/review_apps?dry_run=false&before=2031-01-01T00:00:00Z`);
  await remove(at);
}

async function tellFeatureFlags({ post, put, delete: remove }: Calls, project: string): Promise<void> {
  const lists = `${project}/feature_flags_user_lists`;
  const { body: testers } = await post(lists, { name: 'Testers', user_xids: 'ada' });
  await put(`${lists}/${testers.iid}`, { user_xids: 'ada,grace' });
  const scopes = [{ environment_scope: 'production' }];
  const strategies = [{ name: 'gitlabUserList', parameters: {}, user_list_id: testers.id, scopes }];
  await post(`${project}/feature_flags`, { name: 'night_mode', description: 'A dark page', strategies });
  await put(`${project}/feature_flags/night_mode`, { active: false });
  await remove(`${project}/feature_flags/night_mode`);
  await remove(`${lists}/${testers.iid}`);
  await post(`${project}/feature_flags_client/reset_token`);
}

async function tellVariables({ post, put, delete: remove }: Calls, project: string): Promise<void> {
  const given = { key: 'DEPLOY_TOKEN', value: 'example-of-a-value', environment_scope: 'production' };
  await post(`${project}/variables`, given);
  await put(`${project}/variables/DEPLOY_TOKEN`, { value: 'another-example', masked: true });
  await remove(`${project}/variables/DEPLOY_TOKEN`);
}

async function tellRunners(
  { post, put, delete: remove }: Calls,
  project: string,
  other: string,
): Promise<void> {
  const { body: reset } = await post(`${project}/runners/reset_registration_token`);
  const attributes = { description: 'Build machine', tag_list: 'docker,linux', maximum_timeout: 3600 };
  const { body: runner } = await post('/runners', { token: reset.token, ...attributes });
  await put(`/runners/${runner.id}`, { description: 'Fast build machine', run_untagged: false });
  await post(`${other}/runners`, { runner_id: runner.id });
  await remove(`${other}/runners/${runner.id}`);
  await remove(`/runners/${runner.id}`);
}

async function tellSchedules(
  forgelog: Forgelog,
  { post, put, delete: remove }: Calls,
  projectId: number,
): Promise<void> {
  const project = `/projects/${projectId}`;
  const { body: trigger } = await post(`${project}/triggers`, { description: 'From the website' });
  await put(`${project}/triggers/${trigger.id}`, { description: 'From the documentation' });
  const ids = { pipelineTriggerId: trigger.id, projectId };
  const lastUsedAt = '2026-11-20T12:00:00.000Z';
  const used = { ...ids, pipelineId: 1, changes: { lastUsedAt }, previous: { lastUsedAt: null } };
  await record(forgelog, `pipelineTrigger-${trigger.id}`, 1, { type: 'PipelineTriggerUsed', data: used });
  await remove(`${project}/triggers/${trigger.id}`);
  const nightly = { description: 'Nightly', ref: 'main', cron: '30 2 * * *', active: false };
  const { body: schedule } = await post(`${project}/pipeline_schedules`, nightly);
  const at = `${project}/pipeline_schedules/${schedule.id}`;
  await put(at, { description: 'Each night' });
  await post(`${at}/play`);
  await remove(at);
}

/** What a killed process leaves behind, and what old logs hold. */
async function tellFailedCreations(forgelog: Forgelog, { post }: Calls): Promise<void> {
  const [groupId, projectId] = [9001, 9002];
  const claim = { holder: 'group', holderId: groupId, claimedAt: '2020-01-01T00:00:00.000Z' };
  await record(forgelog, routeStream(null, 'claimed'), 1, { type: 'NameClaimed', data: claim });
  await post('/groups', { name: 'Claimed', path: 'claimed' });
  await record(forgelog, `project-${projectId}`, 1, {
    type: 'ProjectCreationAbandoned',
    data: { projectId },
  });
}

/** Calls that must succeed, each after all consequences of the one before: ids and events then have one order. */
function oneAfterTheOther(forgelog: Forgelog, token?: string): Calls {
  const call: Calls['call'] = async (method, path, given) => {
    const reply = await forgelog.call(method, path, { ...given, ...(token && { token }) });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    if (!(await forgelog.system.projectors.policiesIdle())) throw new Error('policies do not come to rest');
    return reply;
  };
  return callsBy(call);
}

/** A receiver that fails for hours is told of by what its hook would do then. */
async function tellHooks({ system }: Forgelog, { post, put, delete: remove }: Calls, project: string) {
  const { url, ...flags } = { url: 'https://receiver.example.org/hook', push_events: false };
  const { body: hook } = await post(`${project}/hooks`, { url, token: 'a-word-that-both-know', ...flags });
  const one = `${project}/hooks/${hook.id}`;
  await put(one, { tag_push_events: true });
  const stream = `webHook-${hook.id}`;
  const ids = { webHookId: hook.id, projectId: hook.project_id, groupId: null };
  const append = (name: string, revision: number | 'no-stream', type: string, data: object) =>
    system.ports.commands.append(name, revision, [{ type, data: { ...ids, ...data } }], SYSTEM_METADATA);
  const toldUpTo = await system.store.head();
  await append('webHookDelivery-1', 'no-stream', 'WebHookDelivered', {
    ...{ webHookDeliveryId: 1, trigger: 'tag_push_events', cause: 'event', part: 0, toldUpTo, attempts: 1 },
    ...{ eventId: newEventId(), eventSubject: `repository-${hook.project_id}`, eventRevision: 0 },
    ...{ delivered: true, status: 200, error: null, milliseconds: 12 },
  });
  await append(stream, 1, 'WebHookFellBehind', { toldUpTo });
  await append(stream, 2, 'WebHookCaughtUp', { toldUpTo });
  const changed = { changes: { disabled: true }, previous: { disabled: false } };
  await append(stream, 3, 'WebHookDisabled', { failures: 10, ...changed });
  await append(stream, 4, 'WebHookRewound', { toldUpTo });
  await put(one, { tag_push_events: false });
  await remove(one);
}

/** No mail leaves a test that has no server for it: its end is told by what would be appended then. */
async function tellNotifications({ system }: Forgelog, { put }: Calls, project: string) {
  for (const level of ['watch', 'participating']) await put(`${project}/notification_settings`, { level });
  const ids = { userId: 1, thread: 'Issue-1', projectId: Number(project.split('/').at(-1)), groupId: null };
  const data = {
    ...{ ...ids, outcome: 'sent', eventIds: ['01932c5e-7f0a-7cc0-9d0e-3c1f7d2f9a10'], attempts: 1 },
    toldUpTo: await system.store.head(),
  };
  await system.ports.commands.append(
    'notificationMail-1-Issue-1',
    'no-stream',
    [{ type: 'NotificationMailHandled', data }],
    SYSTEM_METADATA,
  );
}

async function tellErrors({ get, post, put, delete: remove }: Calls, project: string): Promise<void> {
  const keys = `${project}/error_tracking/client_keys`;
  const errors = `${project}/error_tracking/errors`;
  const { body: key } = await post(keys);
  const [, , id] = project.split('/');
  const frame = { filename: '/srv/engine/crank.js', function: 'turn', lineno: 42, colno: 7, in_app: true };
  const exception = { type: 'TypeError', value: 'engine is undefined', stacktrace: { frames: [frame] } };
  const report = () =>
    post(`/error_tracking/collector/api/${id}/store?sentry_key=${key.public_key}`, {
      ...{ event_id: '3f1d8c0be7a94c52a6d0918b2f47c6e1', platform: 'node', level: 'error' },
      ...{ environment: 'production', release: 'engine@1.2.0', exception: { values: [exception] } },
    });
  await report();
  const [error] = (await get(errors)).body;
  await put(`${errors}/${error.id}`, { status: 'resolved' });
  for (let seen = 0; seen < 2; seen += 1) await report();
  // The last occurrence is counted, and written soon.
  await eventually(
    'all occurrences are written',
    async () => (await get(`${errors}/${error.id}`)).body.count === 3,
  );
  await remove(`${errors}/${error.id}`);
  await remove(`${keys}/${key.id}`);
}

/** A chat that fails for hours is told of by what its integration would do then. */
async function tellChats(
  { system }: Forgelog,
  { put, delete: remove }: Calls,
  project: string,
): Promise<void> {
  const slack = `${project}/services/slack`;
  const flags = { push_events: false, wiki_page_events: false };
  const { body } = await put(slack, {
    webhook: 'https://chat.example.org/hooks/1',
    channel: '#engines',
    ...flags,
  });
  const [, , id] = project.split('/');
  const ids = { integrationId: body.id, projectId: Number(id), slug: 'slack' };
  const append = (name: string, revision: number | 'no-stream', type: string, data: object) =>
    system.ports.commands.append(name, revision, [{ type, data: { ...ids, ...data } }], SYSTEM_METADATA);
  await append(`integrationMessages-${body.id}`, 'no-stream', 'IntegrationMessageHandled', {
    ...{ eventId: newEventId(), delivered: false, attempts: 6, status: 503, error: null },
    toldUpTo: await system.store.head(),
  });
  await append(`integration-${id}-slack`, 0, 'IntegrationDisabled', {
    failures: 10,
    ...INTEGRATION_DISABLED,
  });
  await put(slack, { channel: '#night' });
  await remove(slack);
}

async function tellOauth(forgelog: Forgelog, calls: Calls): Promise<void> {
  const password = 'a password that a program is given';
  await createUser(calls, { username: 'visitor', password, force_random_password: false });
  const { body: program } = await calls.post('/applications', {
    ...{
      name: 'Dashboard',
      redirect_uri: 'https://dashboard.example/callback',
      scopes: 'read_user read_api',
    },
  });
  const client = { client_id: program.application_id, client_secret: program.secret };
  async function ask(path: string, fields: Record<string, string>): Promise<Record<string, string>> {
    const body = new URLSearchParams({ ...client, ...fields });
    const response = await fetch(`${forgelog.url}${path}`, { method: 'POST', body });
    if (response.status !== 200) throw new Error(`${path} answers ${response.status}`);
    return (await response.json()) as Record<string, string>;
  }
  const grant = () => ask('/oauth/token', { grant_type: 'password', username: 'visitor', password });
  await ask('/oauth/revoke', { token: (await grant()).refresh_token! });
  await grant();
  // The policy that follows the grant looks for the application.
  await forgelog.system.projectors.policiesIdle();
  await calls.delete(`/applications/${program.id}`);
}
