import { Gitlab } from '@gitbeaker/rest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { type Forgelog, startForgelog } from '../support/forgelog.ts';

// A day's work of a stock API client, which knows nothing of this product.
let forgelog: Forgelog;
let api: InstanceType<typeof Gitlab<false>>;

beforeAll(async () => {
  forgelog = await startForgelog();
  const user = await createUser(forgelog, { username: 'dora' });
  api = new Gitlab({ host: forgelog.url, token: user.token });
});
afterAll(() => forgelog.stop());

test('finds out who it is and what it speaks to', async () => {
  expect((await api.Users.showCurrentUser()).username).toBe('dora');
  expect(await api.Metadata.show()).toMatchObject({
    version: expect.stringMatching(/^\d/),
    enterprise: true,
    kas: { enabled: false },
  });
  expect(await api.PersonalAccessTokens.show()).toMatchObject({ scopes: ['api'], active: true });
});

test('makes a project, works on its files and reads them back', async () => {
  const project = await api.Projects.create({ name: 'Tools', initializeWithReadme: true });
  expect(project.path_with_namespace).toBe('dora/tools');
  const id = project.id;
  await api.RepositoryFiles.create(id, 'src/hello world.txt', 'main', 'hello\n', 'Add a greeting');
  await api.RepositoryFiles.edit(id, 'src/hello world.txt', 'main', 'hello, world\n', 'Greet the world');
  const file = await api.RepositoryFiles.show(id, 'src/hello world.txt', 'main');
  expect(Buffer.from(file.content, 'base64').toString()).toBe('hello, world\n');
  await api.Branches.create(id, 'topic/one', 'main');
  await api.Commits.create(id, 'topic/one', 'Add two files', [
    { action: 'create', filePath: 'a.txt', content: 'a' },
    { action: 'create', filePath: 'b/c.txt', content: 'c' },
  ]);
  const compare = await api.Repositories.compare(id, 'main', 'topic/one');
  expect(compare.diffs!.map(({ new_path }) => new_path)).toEqual(['a.txt', 'b/c.txt']);
  const tree = await api.Repositories.allRepositoryTrees(id, { ref: 'topic/one', recursive: true });
  expect(tree.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['README.md', 'a.txt', 'b', 'b/c.txt', 'src']),
  );
  await api.Tags.create(id, 'v1.0.0', 'topic/one', { message: 'First' });
  expect((await api.Tags.show(id, 'v1.0.0')).message).toBe('First');
  expect((await api.Commits.all(id, { refName: 'topic/one' })).length).toBe(4);
  await api.RepositoryFiles.remove(id, 'a.txt', 'topic/one', 'Drop a file');
  await api.Branches.remove(id, 'topic/one');
  expect((await api.Branches.all(id)).map(({ name }) => name)).toEqual(['main']);
  const commits = await api.Commits.all(id);
  expect(commits.length).toBeGreaterThan(2);
  expect(await api.Commits.all(id, { pagination: 'keyset', perPage: 2 })).toEqual(commits);
});

test('searches everywhere and in a project', async () => {
  const project = await api.Projects.create({ name: 'Searched' });
  const { id } = await api.Issues.create(project.id, 'The zephyr stops');
  expect(await api.Search.all('issues', 'zephyr')).toMatchObject([{ id }]);
  const inside = { projectId: project.id };
  expect(await api.Search.all('issues', 'zephyr stop', inside)).toMatchObject([{ id }]);
  expect(await api.Search.all('milestones', 'zephyr', inside)).toEqual([]);
  expect(await api.Search.all('projects', 'searched')).toMatchObject([{ id: project.id }]);
  expect(await api.Search.all('users', 'dora')).toMatchObject([{ username: 'dora' }]);
});

test('forks a project, works in the fork, and compares both', async () => {
  const origin = await api.Projects.create({ name: 'Upstream', initializeWithReadme: true });
  const fork = await api.Projects.fork(origin.id, { name: 'Downstream', path: 'downstream' });
  expect(fork).toMatchObject({ path_with_namespace: 'dora/downstream', import_status: 'finished' });
  expect(fork.forked_from_project).toMatchObject({ id: origin.id });
  expect((await api.Projects.allForks(origin.id)).map(({ id }) => id)).toEqual([fork.id]);
  await api.RepositoryFiles.create(fork.id, 'own.txt', 'main', 'own', 'Add a file');
  const compare = await api.Repositories.compare(fork.id, 'main', 'main', { fromProjectId: origin.id });
  expect(compare.diffs!.map(({ new_path }) => new_path)).toEqual(['own.txt']);
  await api.Projects.removeForkRelationship(fork.id);
  expect(await api.Projects.allForks(origin.id)).toEqual([]);
  await api.Projects.createForkRelationship(fork.id, origin.id);
  expect((await api.Projects.show(origin.id)).forks_count).toBe(1);
});

test('begins an empty project with a branch, and renders notes of a version without a commit', async () => {
  const { id } = await api.Projects.create({ name: 'Begun' });
  expect((await api.Branches.create(id, 'topic', 'main')).name).toBe('topic');
  const { commit } = await api.Branches.show(id, 'main');
  await api.Tags.create(id, 'v0.9.0', 'main');
  await api.Tags.create(id, 'v0.10.0', 'main');
  expect((await api.Tags.all(id, { orderBy: 'version' })).map(({ name }) => name)).toEqual([
    'v0.10.0',
    'v0.9.0',
  ]);
  const message = 'Add a greeting\n\nChangelog: added';
  await api.RepositoryFiles.create(id, 'hello.txt', 'main', 'hello\n', message);
  const { notes } = await api.Repositories.showChangelog(id, '1.0.0', { from: commit.id });
  expect(notes).toContain('### added (1 change)');
  expect((await api.RepositoryFiles.allFileBlames(id, 'hello.txt', 'main')).length).toBe(1);
  await expect(api.RepositoryFiles.show(id, 'CHANGELOG.md', 'main')).rejects.toThrow();
});

test('opens issues, discusses them, logs time and sees the activity', async () => {
  const { id } = await api.Projects.create({ name: 'Tracked' });
  for (let at = 1; at <= 25; at += 1)
    await api.Issues.create(id, `Issue ${at}`, { labels: at % 2 ? 'odd' : 'even' });
  // All pages, by the Link header.
  const all = await api.Issues.all({ projectId: id, perPage: 10 });
  expect(all.map(({ iid }) => iid)).toEqual(Array.from({ length: 25 }, (_, at) => 25 - at));
  expect(await api.Issues.all({ projectId: id, labels: 'odd' })).toHaveLength(13);
  const byKeyset = { pagination: 'keyset', perPage: 10 } as const;
  expect(await api.Issues.all({ projectId: id, ...byKeyset })).toEqual(all);
  const discussion = await api.IssueDiscussions.create(id, 1, 'What about this?');
  await api.IssueDiscussions.addNote(id, 1, discussion.id, 'Good question.');
  expect((await api.IssueDiscussions.show(id, 1, discussion.id)).notes).toHaveLength(2);
  await api.IssueNotes.create(id, 1, 'A plain note');
  const notes = await api.IssueNotes.all(id, 1);
  expect(notes.filter(({ system }) => !system)).toHaveLength(3);
  expect(notes.filter(({ system }) => system)).toHaveLength(1);
  await api.Issues.addTimeEstimate(id, 1, '1d');
  const stats = await api.Issues.addSpentTime(id, 1, '3h30m');
  expect(stats).toMatchObject({
    time_estimate: 28_800,
    total_time_spent: 12_600,
    human_total_time_spent: '3h 30m',
  });
  await api.Issues.edit(id, 1, { stateEvent: 'close' });
  expect((await api.Issues.show(1, { projectId: id })).state).toBe('closed');
  const actions = (await api.Events.all({ projectId: id })).map(({ action_name }) => action_name);
  expect(actions).toEqual(expect.arrayContaining(['opened', 'commented on', 'closed', 'created']));
});

test('links issues, arranges them on a board, moves one and sees what happened', async () => {
  const { id } = await api.Projects.create({ name: 'Planned' });
  const { id: elsewhere } = await api.Projects.create({ name: 'Elsewhere' });
  for (const title of ['Pump', 'Seal']) await api.Issues.create(id, title);
  await api.IssueLinks.create(id, 1, id, 2);
  const [linked] = await api.IssueLinks.all(id, 1);
  expect(linked).toMatchObject({ title: 'Seal', link_type: 'relates_to' });

  const board = await api.ProjectIssueBoards.create(id, 'Work');
  const label = await api.ProjectLabels.create(id, 'doing', '#d9534f');
  const list = await api.ProjectIssueBoards.createList(id, board.id, { labelId: label.id });
  expect(await api.ProjectIssueBoards.allLists(id, board.id)).toMatchObject([
    { id: list.id, label: { name: 'doing' }, position: 0 },
  ]);

  await api.Issues.edit(id, 1, { addLabels: 'doing', stateEvent: 'close' });
  expect(await api.IssueLabelEvents.all(id, 1)).toMatchObject([{ action: 'add', label: { name: 'doing' } }]);
  expect(await api.IssueStateEvents.all(id, 1)).toMatchObject([{ state: 'closed' }]);

  await api.IssueNotes.create(id, 2, 'It leaks.');
  const moved = await api.Issues.move(id, 2, elsewhere);
  expect(moved).toMatchObject({ title: 'Seal', project_id: elsewhere, user_notes_count: 1 });
  expect(await api.Issues.show(2, { projectId: id })).toMatchObject({
    moved_to_id: moved.id,
    state: 'closed',
  });
  expect(await api.IssueNotes.all(elsewhere, moved.iid)).toMatchObject([
    { body: 'moved from dora/planned#2', system: true },
    { body: 'It leaks.' },
  ]);
  await api.IssueLinks.remove(id, 1, linked!.issue_link_id as number);
  expect(await api.IssueLinks.all(id, 1)).toEqual([]);
});

test('checks a configuration, runs it with variables and reads the pipelines', async () => {
  const { id } = await api.Projects.create({ name: 'Built' });
  const configuration = 'test: {script: make test, rules: [{if: $FULL == "yes"}]}';
  expect(await api.Lint.lint(id, 'test: {tags: 1}')).toMatchObject({ valid: false });
  expect(await api.Lint.lint(id, configuration)).toMatchObject({ valid: true, errors: [] });
  await api.RepositoryFiles.create(id, '.gitlab-ci.yml', 'main', configuration, 'Configure');
  expect(await api.Lint.check(id, { dryRun: true, ref: 'main' })).toMatchObject({
    errors: ['No stages / jobs for this pipeline.'],
  });
  await expect(api.Pipelines.create(id, 'main')).rejects.toMatchObject({
    cause: { response: { status: 400 } },
  });
  const variables = [{ key: 'FULL', value: 'yes', variable_type: 'env_var' as const }];
  const pipeline = await api.Pipelines.create(id, 'main', { variables });
  expect(pipeline).toMatchObject({ ref: 'main', status: 'pending', user: { username: 'dora' } });
  expect(await api.Pipelines.allVariables(id, pipeline.id)).toEqual(variables);
  await api.RepositoryFiles.edit(id, '.gitlab-ci.yml', 'main', 'always: {script: make}', 'Run always');
  await expect
    .poll(async () => (await api.Pipelines.all(id)).map(({ source: _, ...shown }) => shown))
    .toMatchObject([{ ref: 'main', status: 'pending' }, { id: pipeline.id }]);
  // The newer commit makes the older pipeline redundant.
  await expect
    .poll(async () => (await api.Jobs.all(id)).map(({ name, status }) => [name, status]))
    .toEqual([
      ['always', 'pending'],
      ['test', 'canceled'],
    ]);
});

test('switches feature flags for users on a list', async () => {
  const { id } = await api.Projects.create({ name: 'Switched' });
  const list = await api.FeatureFlagUserLists.create(id, 'Testers', 'ada,grace');
  expect(await api.FeatureFlagUserLists.all(id, { search: 'test' })).toMatchObject([{ id: list.id, iid: 1 }]);
  const everywhere = { name: 'default', parameters: {}, scopes: [{ environment_scope: '*' }] };
  const made = await api.FeatureFlags.create(id, 'night_mode', 'new_version_flag', {
    strategies: everywhere,
  });
  expect(made).toMatchObject({ name: 'night_mode', active: true, strategies: [everywhere] });
  await api.FeatureFlags.edit(id, 'night_mode', { active: false, description: 'A dark page' });
  expect(await api.FeatureFlags.all(id, { scope: 'disabled' })).toMatchObject([
    { description: 'A dark page' },
  ]);
  await api.FeatureFlags.remove(id, 'night_mode');
  await api.FeatureFlagUserLists.remove(id, list.iid as number);
  expect([await api.FeatureFlags.all(id), await api.FeatureFlagUserLists.all(id)]).toEqual([[], []]);
});

test('is told what is wrong', async () => {
  await expect(api.Projects.show('dora/nothing')).rejects.toMatchObject({
    cause: { response: { status: 404 }, description: '404 Project Not Found' },
  });
});

test('releases a version with links, changes it and takes it back', async () => {
  const { id } = await api.Projects.create({ name: 'Delivered', initializeWithReadme: true });
  const links = [{ name: 'Binary', url: 'https://example.com/b' }];
  const created = await api.ProjectReleases.create(id, {
    ...{ tagName: 'v1.0', ref: 'main', description: 'The first' },
    assets: { links },
  });
  expect(created).toMatchObject({ tag_name: 'v1.0', assets: { links } });
  expect((await api.ProjectReleases.all(id)).map(({ tag_name }) => tag_name)).toEqual(['v1.0']);
  const link = await api.ReleaseLinks.create(id, 'v1.0', 'Book', 'https://example.com/book');
  await api.ReleaseLinks.edit(id, 'v1.0', link.id, { name: 'Handbook' });
  expect((await api.ReleaseLinks.all(id, 'v1.0')).map(({ name }) => name)).toEqual(['Handbook', 'Binary']);
  await api.ReleaseLinks.remove(id, 'v1.0', link.id);
  await api.ProjectReleases.edit(id, 'v1.0', { name: 'One' });
  expect(await api.ProjectReleases.show(id, 'v1.0')).toMatchObject({ name: 'One', evidences: [{}] });
  await api.ProjectReleases.remove(id, 'v1.0');
  expect((await api.Tags.show(id, 'v1.0')).release).toBeNull();
});

test('lives a merge request from its opening to its merge', async () => {
  const { id } = await api.Projects.create({ name: 'Requests', initializeWithReadme: true });
  await api.Issues.create(id, 'Greet');
  await api.Branches.create(id, 'topic', 'main');
  await api.Commits.create(id, 'topic', 'Greet', [{ action: 'create', filePath: 'a.txt', content: 'a\n' }]);
  const opened = await api.MergeRequests.create(id, 'topic', 'main', 'Draft: Greet', {
    description: 'Closes #1',
    labels: 'greeting',
    removeSourceBranch: true,
    squash: true,
  });
  expect(opened).toMatchObject({ iid: 1, draft: true, detailed_merge_status: 'draft_status', squash: true });
  const { iid } = opened;
  await api.MergeRequestNotes.create(id, iid, 'Looks good');
  await api.MergeRequestDiscussions.create(id, iid, 'Why?');
  const discussions = await api.MergeRequestDiscussions.all(id, iid);
  expect(discussions.filter(({ notes }) => !notes![0]!.system)).toHaveLength(2);
  expect((await api.MergeRequests.allCommits(id, iid)).map(({ title }) => title)).toEqual(['Greet']);
  expect(await api.MergeRequests.allDiffs(id, iid)).toMatchObject([{ new_path: 'a.txt', new_file: true }]);
  expect((await api.MergeRequests.showChanges(id, iid)).changes).toHaveLength(1);
  const [version] = await api.MergeRequests.allDiffVersions(id, iid);
  expect(version).toMatchObject({ head_commit_sha: opened.sha });
  expect((await api.MergeRequests.showDiffVersion(id, iid, version!.id)).commits).toHaveLength(1);
  expect(await api.MergeRequests.allParticipants(id, iid)).toMatchObject([{ username: 'dora' }]);
  expect(await api.MergeRequests.allIssuesClosed(id, iid)).toMatchObject([{ iid: 1 }]);
  expect((await api.MergeRequests.setTimeEstimate(id, iid, '2h')).time_estimate).toBe(7200);
  expect((await api.MergeRequestApprovals.showApprovalState(id, iid)).rules).toEqual([]);
  const ready = await api.MergeRequests.edit(id, iid, { title: 'Greet' });
  expect(ready).toMatchObject({ draft: false, merge_status: 'can_be_merged' });
  const list = await api.MergeRequests.all({ projectId: id, state: 'opened', labels: 'greeting' });
  expect(list.map((one) => one.iid)).toEqual([iid]);
  const merged = await api.MergeRequests.merge(id, iid, { sha: opened.sha });
  expect(merged).toMatchObject({ state: 'merged', merged_by: { username: 'dora' } });
  expect((await api.Commits.show(id, 'main')).id).toBe(merged.merge_commit_sha);
  await expect.poll(async () => (await api.Issues.show(1, { projectId: id })).state).toBe('closed');
  await expect.poll(async () => (await api.Branches.all(id)).map(({ name }) => name)).toEqual(['main']);
});

test('makes deploy tokens of a project and a group, lists them and deletes them', async () => {
  const project = await api.Projects.create({ name: 'Deployed' });
  const group = await api.Groups.create('Deployed ones', 'deployed-ones');
  for (const place of [{ projectId: project.id }, { groupId: group.id }]) {
    const made = (await api.DeployTokens.create('machine', ['read_repository'], {
      ...{ ...place, username: 'machine', expires_at: '2201-01-01T00:00:00Z' },
    } as Parameters<typeof api.DeployTokens.create>[2])) as { id: number };
    expect(made).toMatchObject({
      username: 'machine',
      revoked: false,
      token: expect.stringMatching(/^fldt-/),
    });
    const one = { id: made.id, name: 'machine', scopes: ['read_repository'], expired: false };
    expect(await api.DeployTokens.all(place)).toMatchObject([one]);
    expect(await api.DeployTokens.show(made.id, place)).toMatchObject(one);
    await api.DeployTokens.remove(made.id, place);
    expect(await api.DeployTokens.all(place)).toEqual([]);
  }
});

test('renders a text, begins with templates and reads the topics of projects', async () => {
  const project = await api.Projects.create({ name: 'Boiler', topics: ['Steam', 'iron'] });
  await api.Issues.create(project.id, 'Leaks');
  const { html } = await api.Markdown.render('Closed by #1', { gfm: 'true', project: 'dora/boiler' });
  expect(html).toContain(`href="${forgelog.url}/dora/boiler/-/issues/1"`);
  expect(await api.GitignoreTemplates.all()).toContainEqual({ key: 'Node', name: 'Node' });
  expect((await api.GitLabCIYMLTemplates.all()).length).toBeGreaterThan(20);
  expect(await api.GitLabCIYMLTemplates.show('Nodejs')).toMatchObject({ name: 'Nodejs' });
  expect(await api.DockerfileTemplates.show('Node')).toMatchObject({ name: 'Node' });
  expect(await api.ProjectTemplates.all(project.id, 'issues')).toEqual([]);
  await expect
    .poll(() => api.Topics.all({ search: 'steam' }))
    .toMatchObject([{ name: 'Steam', total_projects_count: 1 }]);
  const [topic] = await api.Topics.all({ search: 'steam' });
  expect(await api.Topics.show(topic!.id)).toMatchObject({ title: 'Steam', avatar_url: null });
});
