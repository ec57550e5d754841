import { recordTokenUses } from '@forgelog/contracts/admin/access-tokens/access-token.operations.ts';
import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { newPgpKey, newSshKey } from '@forgelog/signatures/testing/sample-keys.ts';
import { fillProject, unique } from '../fixtures/all-fixtures.ts';
import { createConfiguredMergeRequest } from '../fixtures/merge-request-iid.ts';
import { createUser, type TestUser } from './accounts.ts';
import type { Reply } from './calls.ts';
import type { Forgelog } from './forgelog.ts';
import { formWith } from './form-with.ts';
import { record } from './inhabitants.ts';
import { makeListedPipeline } from './pipelines.ts';
import { anyReceiver, REACHING_LOCAL } from './receiver.ts';
import { reportErrors } from './reported-errors.ts';

/** One place in which every list of the API has some items, and in each order some that are alike. */
export interface ListedWorld {
  users: TestUser[];
  /** A top-level group; what lies in it is in everybody's lists. */
  groupId: number;
  projectId: number;
  /** A project of one user's own. */
  ownProjects: number[];
  /** The address of a list below `/api/v4`. */
  pathOf(endpoint: AnyEndpoint): string;
}

const SOME = 5;
const numbers = Array.from({ length: SOME }, (_, at) => at + 1);

export async function createListedWorld(forgelog: Forgelog): Promise<ListedWorld> {
  const made = async (path: string, body: object = {}, token?: string) => {
    const reply: Reply = await forgelog.post(path, body, { token });
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  };
  const put = async (path: string, body: object) => {
    const reply = await forgelog.put(path, body);
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  };
  const users: TestUser[] = [];
  for (const at of numbers) users.push(await createUser(forgelog, { username: `lister-${at}` }));
  for (const { id, token } of users.slice(1)) {
    await made(`/users/${users[0]!.id}/follow`, {}, token);
    await made(`/users/${id}/follow`, {}, users[0]!.token);
  }
  const group = await made('/groups', { name: 'Lists', path: 'lists', visibility: 'public' });
  const ownProjects: number[] = [];
  for (const at of numbers) {
    const name = `List group ${at % 2} ${at}`;
    const below = { parent_id: group.id, visibility: 'public' };
    const sub = await made('/groups', { name, path: `list-group-${at}`, ...below });
    const inside = { namespace_id: group.id, visibility: 'public', description: 'list' };
    await made('/projects', { path: `list-project-${at}`, ...inside });
    ownProjects.push((await made('/projects', { name: `Own list ${at}` }, users[0]!.token)).id);
    await made(`/groups/${sub.id}/members`, { user_id: users[0]!.id, access_level: 30 });
    await made(`/groups/${group.id}/members`, {
      user_id: users[at - 1]!.id,
      access_level: 30 + 10 * (at % 2),
    });
  }
  const { id: projectId } = await made('/projects', {
    path: 'listed',
    namespace_id: group.id,
    visibility: 'public',
  });
  const project = `/projects/${projectId}`;
  for (const at of numbers) await made('/broadcast_messages', { message: `List ${at}` });
  for (const owner of [`/users/${users[0]!.id}`, `/groups/${group.id}`, project])
    for (const at of numbers) await put(`${owner}/custom_attributes/list-${at}`, { value: 'list' });
  for (const at of numbers) {
    const { token } = await createUser(forgelog, { username: `asker-${at}` });
    for (const place of [`/groups/${group.id}`, project]) await made(`${place}/access_requests`, {}, token);
  }
  for (const at of numbers)
    await made(`${project}/deploy_keys`, { title: `List ${at % 2}`, key: newSshKey() });
  for (const at of numbers) await made('/topics', { name: `list-topic-${at}` });
  for (const user of users.toReversed())
    await made(`${project}/members`, { user_id: user.id, access_level: 40 });
  for (const { token } of users) await made(`${project}/star`, undefined, token);
  await fillRepository(`${project}/repository`, made, users);
  for (const at of numbers) {
    const name = `List fork ${at % 2} ${at}`;
    await made(`${project}/fork`, { name, path: `list-fork-${at}` }, users[at % 2]!.token);
  }
  for (const at of numbers)
    await made(`${project}/repository/commits/v0/comments`, { note: `Comment ${at}` });
  const links = numbers.map((at) => ({ name: `List ${at}`, url: `https://example.com/list/${at}` }));
  await made(`${project}/releases`, { tag_name: 'v0', assets: { links } });
  const noteId = await fillTracker(project, made, users);
  const mergeRequestId = await fillMergeRequest(project, made, users);
  await askForReviews(forgelog, { mergeRequestId, projectId, iid: 1 }, users);
  const root = await forgelog.get('/user');
  for (const at of numbers)
    for (const id of [root.body.id, users[0]!.id]) {
      await made(`/users/${id}/emails`, { email: `lister-${id}-${at}@example.org` });
      await made(`/users/${id}/keys`, { title: `Key ${at}`, key: newSshKey() });
      await made(`/users/${id}/gpg_keys`, { key: await newPgpKey('Lister', 'lister-1@example.org') });
    }
  for (const base of [`/groups/${group.id}/variables`, '/admin/ci/variables'])
    for (const at of numbers) await made(base, { key: `LIST_${at}`, value: `value ${at}` });
  for (const at of numbers)
    await made(`/groups/${group.id}/badges`, { name: `List ${at % 2}`, ...badgeOf(at) });
  for (const at of numbers)
    await made(`/groups/${group.id}/labels`, { name: `List ${at}`, color: '#d9534f' });
  await forgelog.put('/application/settings', REACHING_LOCAL);
  await reportErrors(forgelog, project, ...numbers.map((at) => `List ${at}`));
  for (const [slug, set] of Object.entries(INTEGRATIONS))
    await forgelog.put(`${project}/services/${slug}`, set);
  for (const at of numbers) await made(`/groups/${group.id}/epics`, { title: `List ${at % 2}` });
  const { id: epicId, iid: epicIid } = await made(`/groups/${group.id}/epics`, { title: 'Discussed' });
  for (const at of numbers) {
    await made(`${project}/issues`, { title: `In an epic ${at}`, epic_id: epicId });
    await made(`/groups/${group.id}/epics/${epicIid}/epics`, { title: `Part ${at}` });
  }
  for (const at of numbers) await made(`/groups/${group.id}/epics/${epicId}/notes`, { body: `Note ${at}` });
  const file = { file_name: 'a.txt', content: 'text' };
  for (const [base, visibility] of [
    [`${project}/snippets`, 'public'],
    ['/snippets', 'public'],
  ] as const)
    for (const at of numbers) await made(base, { title: `List ${at}`, visibility, ...file });
  for (const at of numbers) await made('/snippets', { title: `List ${at}`, ...file }, users[0]!.token);
  const snippetId = (await made(`${project}/snippets`, { title: 'Discussed', ...file })).id;
  for (const at of numbers) await made(`${project}/snippets/${snippetId}/notes`, { body: `Note ${at}` });
  for (const moved of [project, `/snippets/${snippetId}`, `/groups/${group.id}`])
    for (const _ of numbers) await made(`${moved}/repository_storage_moves`);
  let packageId = 0;
  for (const at of numbers) {
    const address = `${project}/packages/generic/listed/1.0/file-${at % 2}?select=package_file`;
    packageId = (await put(address, formWith({ name: 'file' }))).package_id;
  }
  const ofProject = await giveMilestone(project, 0, made);
  const ofGroup = await giveMilestone(project, 3, made, `/groups/${group.id}`);
  for (const target of [`${project}/issues/1`, `${project}/merge_requests/1`])
    await changeOften(forgelog, target, ofProject);
  const boards = {
    ofProject: await fillBoards(project, made),
    ofGroup: await fillBoards(`/groups/${group.id}`, made),
  };
  for (const at of numbers) await made(`/groups/${group.id}/milestones`, { title: `List group ${at}` });
  for (const at of numbers)
    await made(`/groups/${group.id}/iteration_cadences`, { title: `List ${at}`, automatic: false });
  const { id: cadence_id } = await made(`/groups/${group.id}/iteration_cadences`, {
    ...{ title: 'With iterations', automatic: false },
  });
  for (const at of numbers) {
    const day = `2030-01-${10 + at}`;
    const days = { start_date: day, due_date: day };
    const { id: iteration_id } = await made(`/groups/${group.id}/iterations`, { cadence_id, ...days });
    await put(`${project}/issues/1`, { iteration_id });
  }
  for (const at of numbers)
    await made(`/groups/${group.id}/debian_distributions`, { codename: `list-${at}` });
  for (const at of numbers)
    await made(`/groups/${group.id}/deploy_tokens`, { name: `List ${at % 2}`, scopes: ['read_repository'] });
  for (const at of numbers)
    await made('/applications', { name: `List ${at % 2}`, redirect_uri: url, scopes: 'api' });
  for (const base of [`/groups/${group.id}/access_tokens`, `/users/${users[0]!.id}/impersonation_tokens`])
    for (const at of numbers) await made(base, { name: `List ${at}`, scopes: ['api'] });
  for (const at of numbers) await made(`${project}/statuses/main`, { state: 'success', name: `check ${at}` });
  let runnerId = 0;
  for (const _ of numbers) {
    await fillProject(project, { post: made, put });
    const wanted = { runner_type: 'group_type', group_id: group.id, run_untagged: true };
    runnerId = (await made('/user/runners', wanted)).id;
  }
  const ofRequest = (await made(`${project}/merge_requests/1/notes`, { body: 'Note' })).id;
  await react(`${project}/merge_requests/1`, ofRequest, made);
  let deepest = group.id;
  for (const at of numbers) {
    const name = `list-level-${at}`;
    deepest = (await made('/groups', { name, path: name, parent_id: deepest, visibility: 'public' })).id;
  }
  const deep = await made('/projects', { path: 'list-deep', namespace_id: deepest, visibility: 'public' });
  const configured = await createConfiguredMergeRequest({
    project,
    post: (path, body) => made(path, body),
    unique,
  });
  for (const _ of numbers) await made(`${project}/merge_requests/${configured}/pipelines`);
  let pipelineId = 0;
  for (const _ of numbers) pipelineId = await makeListedPipeline(forgelog, projectId, SOME, runnerId);
  const hooks = {
    project: await fillHooks(`${project}/hooks`, 'issues_events', made),
    group: await fillHooks(`/groups/${group.id}/hooks`, 'issues_events', made),
    administrator: await fillHooks('/hooks', 'system_events', made),
  };
  for (const id of ownProjects) await made(`/projects/${id}/star`, {}, users[0]!.token);
  await useTokens(forgelog);
  // A list must not grow while it is paged through.
  await forgelog.system.projectors.policiesIdle();
  return {
    users,
    groupId: group.id,
    projectId,
    ownProjects,
    pathOf: addressesIn({
      groupId: group.id,
      projectId,
      deepProjectId: deep.id,
      userId: users[0]!.id,
      pipelineId,
      runnerId,
      noteId,
      epic: { id: epicId, iid: epicIid },
      hooks,
      snippetId,
      packageId,
      milestones: { ofProject, ofGroup },
      boards,
      ofRequest,
      configured,
    }),
  };
}

/** Records a use of each token, so that none is recorded while lists are paged through. */
async function useTokens(forgelog: Forgelog): Promise<void> {
  const { body: tokens } = await forgelog.get('/personal_access_tokens?per_page=100');
  const usedAt = new Date().toISOString();
  await forgelog.system.ports.operations.call(
    recordTokenUses,
    { uses: tokens.map(({ id }: { id: number }) => ({ tokenId: id, usedAt })) },
    { principal: null, operationId: newEventId(), metadata: SYSTEM_METADATA },
  );
}

const url = 'https://elsewhere.example.org';
const NOTHING_TOLD = {
  ...{ push_events: false, tag_push_events: false, issues_events: false, confidential_issues_events: false },
  ...{ merge_requests_events: false, note_events: false, confidential_note_events: false },
  ...{ pipeline_events: false, wiki_page_events: false },
};
const INTEGRATIONS = {
  'custom-issue-tracker': { new_issue_url: url, issues_url: url, project_url: url },
  slack: { webhook: url, ...NOTHING_TOLD },
  'external-wiki': { external_wiki_url: url },
};

type Make = (path: string, body?: object, token?: string) => Promise<{ id: number; iid: number }>;

/** Hooks of a place; the last one was told of something. */
async function fillHooks(hooks: string, trigger: string, made: Make): Promise<number> {
  let id = 0;
  for (const _ of numbers) id = (await made(hooks, { url: await anyReceiver(), push_events: false })).id;
  for (const _ of numbers) await made(`${hooks}/${id}/test/${trigger}`);
  return id;
}

async function fillRepository(at: string, made: Make, users: readonly TestUser[]): Promise<void> {
  await made(`${at}/files/requirements.txt`, {
    branch: 'main',
    commit_message: 'Requirements',
    content: numbers.map((number) => `listed-${number % 2}==1.${number}\n`).join(''),
  });
  for (const [index, { username, email }] of users.entries()) {
    await made(`${at}/commits`, {
      branch: 'main',
      commit_message: `Commit ${index}`,
      author_name: username,
      author_email: email,
      actions: ['a', 'b', 'c'].map((name) => ({
        action: 'create',
        file_path: `${name}-${index % 2}/${index}.txt`,
        content: `${index}\n`,
      })),
    });
    await made(`${at}/branches`, { branch: `topic-${index}`, ref: 'main' });
    await made(`${at}/tags`, { tag_name: `v${index}`, ref: `topic-${index % 2}` });
  }
}

const badgeOf = (at: number) => ({
  link_url: `https://ci.example.org/${at}`,
  image_url: `https://ci.example.org/${at}.svg`,
});

/** @returns a note of issue 1 with reactions, as the issue itself has */
async function fillTracker(project: string, made: Make, users: readonly TestUser[]): Promise<number> {
  let noteId = 0;
  for (const at of numbers) {
    const due_date = at % 2 ? `2027-12-0${at}` : undefined;
    const { iid } = await made(`${project}/issues`, {
      title: `Issue ${at}`,
      due_date,
      weight: at % 3 || undefined,
    });
    await made(`${project}/issues/${iid}/todo`);
    noteId = (await made(`${project}/issues/1/notes`, { body: `Note ${at}` }, users[at - 1]!.token)).id;
  }
  await react(`${project}/issues/1`, noteId, made);
  return noteId;
}

/** Reactions to a target and to a note on it. */
async function react(target: string, noteId: number, made: Make): Promise<void> {
  for (const on of ['', `/notes/${noteId}`])
    for (const at of numbers) await made(`${target}${on}/award_emoji`, { name: `tada_${at}` });
}

/** The first merge request, with some versions, commits, files, comments, participants, and issues that it closes. */
async function fillMergeRequest(project: string, made: Make, users: readonly TestUser[]): Promise<number> {
  const commit = (at: number, more: object = {}) =>
    made(`${project}/repository/commits`, {
      ...{ branch: 'listed', commit_message: `Listed ${at}`, ...more },
      actions: [{ action: 'create', file_path: `listed-${at}.txt`, content: `${at}\n` }],
    });
  await commit(0, { start_branch: 'main' });
  const description = `Closes ${numbers.map((at) => `#${at}`).join(', ')}`;
  const given = { title: 'Listed', source_branch: 'listed', target_branch: 'main', description };
  const { id } = await made(`${project}/merge_requests`, given);
  // The same commits are to be merged into other branches too.
  for (const at of [0, 1, 2])
    await made(`${project}/merge_requests`, { ...given, target_branch: `topic-${at}` });
  for (const [index, { token }] of users.entries()) {
    await commit(index + 1);
    await made(`${project}/merge_requests/1/notes`, { body: 'Note' }, token);
  }
  return id;
}

/** A milestone of a place, given to three issues and to three merge requests of a project. */
async function giveMilestone(project: string, after: number, made: Make, place = project): Promise<number> {
  const { id: milestone_id } = await made(`${place}/milestones`, { title: `Given after ${after}` });
  for (const at of [1, 2, 3]) {
    await made(`${project}/issues`, { title: `Planned ${at}`, milestone_id });
    const from = { source_branch: 'listed', target_branch: `planned-${after + at}` };
    await made(`${project}/repository/branches?branch=${from.target_branch}&ref=main`);
    await made(`${project}/merge_requests`, { title: `Planned ${at}`, ...from, milestone_id });
  }
  return milestone_id;
}

/** Boards of a place, of which one has lists. @returns its id */
async function fillBoards(place: string, made: Make): Promise<number> {
  for (const at of numbers) await made(`${place}/boards`, { name: `List ${at % 2}` });
  const { id } = await made(`${place}/boards`, { name: 'With lists' });
  for (const at of numbers) {
    const label = await made(`${place}/labels`, { name: `Column ${at}`, color: '#d9534f' });
    await made(`${place}/boards/${id}/lists`, { label_id: label.id });
  }
  return id;
}

/** Changes state, labels, milestone and weight of a target, and leaves it open. */
async function changeOften(forgelog: Forgelog, target: string, milestone_id: number): Promise<void> {
  const weighed = (at: number) => (target.includes('/issues/') ? { weight: at } : {});
  for (const at of numbers)
    for (const change of [
      { state_event: 'close', add_labels: `Often ${at % 2}`, milestone_id, ...weighed(at) },
      { state_event: 'reopen', remove_labels: `Often ${at % 2}`, milestone_id: 0 },
    ]) {
      const reply = await forgelog.put(target, change);
      if (reply.status >= 300) throw new Error(`${target}: ${reply.status} ${reply.text}`);
    }
}

/** As in the editions that know several reviewers. */
function askForReviews(
  forgelog: Forgelog,
  request: { mergeRequestId: number; projectId: number; iid: number },
  users: readonly TestUser[],
): Promise<void> {
  const change = { changes: { reviewerIds: users.map(({ id }) => id) }, previous: { reviewerIds: [] } };
  return record(forgelog, `mergeRequest-${request.projectId}-${request.iid}`, null, {
    type: 'MergeRequestUpdated',
    data: { ...request, ...change, targetSha: null, updatedAt: null },
  });
}

interface ListedIds {
  groupId: number;
  projectId: number;
  deepProjectId: number;
  userId: number;
  pipelineId: number;
  runnerId: number;
  /** A note of issue 1, and one of merge request 1. */
  noteId: number;
  /** An epic with notes and issues, and the id of a snippet with notes. */
  epic: { id: number; iid: number };
  hooks: Readonly<Record<string, number>>;
  snippetId: number;
  /** A package with files. */
  packageId: number;
  milestones: { ofProject: number; ofGroup: number };
  boards: { ofProject: number; ofGroup: number };
  ofRequest: number;
  /** Number of a merge request with pipelines. */
  configured: number;
}

function addressesIn(ids: ListedIds) {
  const { groupId, projectId, deepProjectId, userId, pipelineId, runnerId, noteId, ofRequest, configured } =
    ids;
  return ({ path, access }: AnyEndpoint): string => {
    const isGroups = access.kind === 'group' || path.startsWith('/groups/');
    const isSnippets = path.startsWith('/snippets/');
    const own = path.startsWith('/runners/') ? runnerId : isSnippets ? ids.snippetId : userId;
    const isProjects = access.kind === 'project' || path.startsWith('/projects/');
    const project = path === '/projects/:id/groups' ? deepProjectId : projectId;
    const values: Readonly<Record<string, string | number>> = {
      id: isGroups ? groupId : isProjects ? project : own,
      project_id: projectId,
      user_id: userId,
      issue_iid: 1,
      epic_id: ids.epic.id,
      epic_iid: ids.epic.iid,
      milestone_id: access.kind === 'group' ? ids.milestones.ofGroup : ids.milestones.ofProject,
      board_id: access.kind === 'group' ? ids.boards.ofGroup : ids.boards.ofProject,
      snippet_id: ids.snippetId,
      hook_id: ids.hooks[access.kind] ?? 0,
      package_id: ids.packageId,
      merge_request_iid: path.endsWith('/pipelines') ? configured : 1,
      note_id: path.includes('/merge_requests/') ? ofRequest : noteId,
      pipeline_id: pipelineId,
      tag_name: 'v0',
      type: 'gitignores',
      sha: /\/(refs|comments|discussions)$/.test(path)
        ? 'v0'
        : path.endsWith('/merge_requests')
          ? 'listed'
          : 'main',
    };
    return path.replace(/:(\w+)/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`${path}: nothing is known of ${name}`);
      return String(value);
    });
  };
}
