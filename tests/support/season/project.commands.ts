import { madeBy, type Stage, VISIBILITIES, type WeightedCommand } from './stage.ts';

export const projectCommands: readonly WeightedCommand[] = [
  [6, createProject],
  [4, changeProject],
  [2, toProject('archive')],
  [2, toProject('unarchive')],
  [2, ({ send, pick }) => send('PUT', `/projects/${pick.projects()}/transfer`, { namespace: pick.groups() })],
  [1, deleteProject],
  [4, toProject('star')],
  [2, toProject('unstar')],
  [8, commit],
  [3, changeRef],
  [3, protectBranch],
  [3, changeApprovalRule],
  [4, release],
  [3, badge],
  [3, label],
  [2, hook],
];

function toProject(action: string) {
  return ({ send, pick }: Stage) => send('POST', `/projects/${pick.projects()}/${action}`);
}

export async function createProject({ send, random, known, pick, next }: Stage): Promise<void> {
  const where = random.below(3) === 0 ? {} : { namespace_id: pick.groups() };
  const settings = random.pick([{}, { wiki_enabled: false, topics: ['x'] }, { description: 'What for' }]);
  const path = `project${next()}`;
  const project = madeBy(
    await send('POST', '/projects', { name: path, path, visibility: 'private', ...where, ...settings }),
  );
  if (project !== undefined) known.projects.push(project);
}

function changeProject({ send, random, pick, next }: Stage) {
  return send('PUT', `/projects/${pick.projects()}`, {
    ...random.pick([
      { name: `Project ${next()}` },
      { path: `renamed${next()}` },
      { description: `${next()}` },
    ]),
    ...random.pick([
      {},
      { visibility: random.pick(VISIBILITIES) },
      { topics: ['a', `t${next()}`], wiki_access_level: 'private', merge_method: 'ff' },
    ]),
  });
}

async function deleteProject({ calls, known, pick }: Stage): Promise<void> {
  if (known.projects.length < 5) return;
  const project = pick.projects();
  await calls.delete(`/projects/${project}`);
  known.projects = known.projects.filter((other) => other !== project);
  known.issues = known.issues.filter((issue) => issue.project !== project);
}

async function changeApprovalRule({ send, random, pick, isHeads, next }: Stage): Promise<void> {
  const rules = `/projects/${pick.projects()}/approval_rules`;
  const rule = { name: `Rule ${next()}`, approvals_required: random.below(2), rule_type: 'regular' };
  const { status, body } = await send('POST', rules, { ...rule, user_ids: [pick.users().id] });
  if (status !== 201) return;
  if (isHeads()) await send('PUT', `${rules}/${body.id}`, { name: `Renamed ${next()}` });
  if (isHeads()) await send('DELETE', `${rules}/${body.id}`);
}

function commit({ send, pick, next }: Stage) {
  const actions = [{ action: 'create', file_path: `file${next()}.txt`, content: `${next()}` }];
  const given = { branch: 'main', commit_message: `Change ${next()}`, actions };
  return send('POST', `/projects/${pick.projects()}/repository/commits`, given);
}

async function changeRef({ send, random, pick, isHeads, next }: Stage): Promise<void> {
  const path = `/projects/${pick.projects()}/repository`;
  const branch = `branch${next()}`;
  await send('POST', `${path}/branches`, { branch, ref: 'main' });
  if (isHeads()) return void (await send('DELETE', `${path}/branches/${branch}`));
  const message = random.pick(['', 'Said']);
  await send('POST', `${path}/tags`, { tag_name: `v${next()}`, ref: 'main', message });
}

async function protectBranch({ send, random, pick, next }: Stage): Promise<void> {
  const path = `/projects/${pick.projects()}/protected_branches`;
  const name = `release${next()}*`;
  const admitted = random.pick([{}, { push_access_level: 0 }, { allowed_to_merge: [{ access_level: 30 }] }]);
  await send('POST', path, { name, ...admitted });
  const one = `${path}/${encodeURIComponent(name)}`;
  const kind = random.below(3);
  if (kind === 0) await send('PATCH', one, { allow_force_push: true });
  if (kind === 1) await send('DELETE', one);
  const tags = path.replace('branches', 'tags');
  await send('POST', tags, { name, create_access_level: random.pick([0, 30, 40]) });
  if (kind === 2) await send('DELETE', `${tags}/${encodeURIComponent(name)}`);
}

async function badge({ send, random, pick, isHeads, next }: Stage): Promise<void> {
  const at = `${isHeads() ? `/projects/${pick.projects()}` : `/groups/${pick.groups()}`}/badges`;
  const link_url = 'https://ci.example.org/%{project_path}';
  const made = madeBy(await send('POST', at, { link_url, image_url: `${link_url}.svg` }));
  if (made === undefined) return;
  const one = `${at}/${made}`;
  if (isHeads()) await send('PUT', one, { name: random.pick([`Badge ${next()}`, null]) });
  if (isHeads()) await send('DELETE', one);
}

/** One that is told of nothing: its receiver is nowhere. */
async function hook({ send, random, pick, isHeads }: Stage): Promise<void> {
  const at = `${isHeads() ? `/projects/${pick.projects()}` : `/groups/${pick.groups()}`}/hooks`;
  const made = madeBy(await send('POST', at, { url: 'https://receiver.example.org/', push_events: false }));
  if (made === undefined) return;
  const one = `${at}/${made}`;
  if (isHeads()) await send('PUT', one, { enable_ssl_verification: random.pick([true, false]) });
  if (isHeads()) await send('DELETE', one);
}

async function label({ send, random, pick, isHeads, next }: Stage): Promise<void> {
  const at = `${isHeads() ? `/projects/${pick.projects()}` : `/groups/${pick.groups()}`}/labels`;
  const name = `Label ${next()}`;
  const made = madeBy(await send('POST', at, { name, color: random.pick(['red', '#d9534f']) }));
  if (made === undefined) return;
  const one = `${at}/${made}`;
  if (isHeads())
    await send('PUT', one, { new_name: `${name} again`, description: random.pick(['Text', null]) });
  if (isHeads()) await send('POST', `${one}/subscribe`);
  if (isHeads()) await send('DELETE', one);
}

async function release({ send, random, pick, isHeads, next }: Stage): Promise<void> {
  const project = `/projects/${pick.projects()}`;
  const tag_name = `v${next()}`;
  const links = [{ name: 'Binary', url: `https://example.com/${next()}`, link_type: 'package' }];
  const released_at = random.pick(['2020-01-01', '2099-01-01', undefined]);
  await send('POST', `${project}/releases`, { tag_name, ref: 'main', released_at, assets: { links } });
  const at = `${project}/releases/${tag_name}`;
  if (isHeads()) await send('PUT', at, { name: `Release ${next()}`, description: 'What is new' });
  if (isHeads()) await send('POST', `${at}/assets/links`, { name: 'Book', url: 'https://example.com/book' });
  if (isHeads()) await send('DELETE', random.pick([at, `${project}/repository/tags/${tag_name}`]));
}
