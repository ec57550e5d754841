import { join } from 'node:path';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { expect, test, vi } from 'vitest';
import { createUser } from '../support/accounts.ts';
import { eventually } from '../support/eventually.ts';
import { type Forgelog, forgelogForTest } from '../support/forgelog.ts';
import { must } from '../support/must.ts';
import { createRandom, faultRounds, faultSeed } from '../support/random.ts';
import { git, tryGit } from '../support/stock-git.ts';

vi.setConfig({ testTimeout: 300_000 });

const TOPICS = 4;
const HANDS = 4;
const DEEDS = 12;
const TARGETS = ['main', 'stable'] as const;
const NOBODY = '0'.repeat(40);

type Reply = Awaited<ReturnType<Forgelog['call']>>;

interface Storm {
  forgelog: Forgelog;
  project: string;
  gitDir: string;
  id: number;
  /** A developer: whom a protected branch keeps out. */
  token: string;
  /** When `main` was surely protected, in milliseconds; open at its end while it lasts. */
  protectedTimes: { from: number; to: number }[];
  /** Merges into `main` that the developer was granted. */
  granted: { from: number; to: number; iid: number }[];
}

async function prepared(): Promise<Storm> {
  const forgelog = await forgelogForTest();
  const { id } = await must(forgelog.post('/projects', { name: 'storm', visibility: 'private' }));
  const project = `/projects/${id}`;
  const { id: user_id, token } = await createUser(forgelog);
  await must(forgelog.post(`${project}/members`, { user_id, access_level: 30 }));
  const paths = [...Array.from({ length: TOPICS }, (_, at) => `${at}.txt`), 'other.txt'];
  const actions = paths.map((file_path) => ({ action: 'create', file_path, content: 'first\n' }));
  const first = { branch: 'main', commit_message: 'First', actions };
  await must(forgelog.post(`${project}/repository/commits`, first));
  await forgelog.delete(`${project}/protected_branches/main`);
  await must(forgelog.post(`${project}/repository/branches`, { branch: 'stable', ref: 'main' }));
  const gitDir = join(forgelog.dataDir, 'repositories', repositoryPath(id));
  return { forgelog, project, gitDir, id, token, protectedTimes: [], granted: [] };
}

/** One of the things that people do, whatever the others do meanwhile. */
async function deed(storm: Storm, random: ReturnType<typeof createRandom>): Promise<Reply> {
  const { forgelog, project, token, protectedTimes, granted } = storm;
  const topic = random.below(TOPICS);
  const as = random.pick([{}, { token }]);
  const target = random.pick(TARGETS);
  const commit = (branch: string, file: string, more: object = {}) =>
    forgelog.post(`${project}/repository/commits`, {
      ...{ branch, commit_message: `Change ${file}`, ...more },
      actions: [{ action: 'update', file_path: file, content: `${random.below(1_000_000)}\n` }],
    });
  const { body: requests } = await forgelog.get(
    `${project}/merge_requests?source_branch=topic-${topic}&per_page=100`,
  );
  const known = requests as { iid: number; sha: string; state: string }[];
  const one = known.find(({ state }) => state === 'opened') ?? random.pick(known);
  const at = one && `${project}/merge_requests/${one.iid}`;
  const merge = async () => {
    const from = performance.now();
    const guard = random.below(2) === 0 ? { sha: one.sha } : {};
    const reply = await forgelog.put(`${at}/merge`, { squash: random.below(3) === 0, ...guard }, as);
    const isInto = reply.status === 200 && reply.body.target_branch === 'main' && 'token' in as;
    if (isInto) granted.push({ from, to: performance.now(), iid: one.iid });
    return reply;
  };
  const open = () =>
    forgelog.post(`${project}/merge_requests`, {
      ...{ source_branch: `topic-${topic}`, target_branch: target, title: `Topic ${topic}` },
    });
  const protect = async () => {
    const levels = { push_access_level: 40, merge_access_level: 40 };
    const reply = await forgelog.post(`${project}/protected_branches`, { name: 'main', ...levels });
    if (reply.status === 201) protectedTimes.push({ from: performance.now(), to: Number.POSITIVE_INFINITY });
    return reply;
  };
  const unprotect = () => {
    const now = performance.now();
    for (const time of protectedTimes) time.to = Math.min(time.to, now);
    return forgelog.delete(`${project}/protected_branches/main`);
  };
  const begin = async () => {
    await commit(`topic-${topic}`, `${topic}.txt`, { start_branch: target });
    return open();
  };
  if (!one) return begin();
  const often = [merge, () => commit(`topic-${topic}`, `${topic}.txt`), () => commit(target, 'other.txt')];
  const seldom = [
    ...[begin, open, protect, unprotect],
    () => commit(target, `${topic}.txt`),
    () => forgelog.delete(`${project}/repository/branches/topic-${topic}`),
    () => forgelog.put(`${at}/rebase`, {}, as),
    () => forgelog.put(at!, { target_branch: target }),
    () => forgelog.put(at!, { state_event: random.pick(['close', 'reopen']) }),
  ];
  if (one.state !== 'opened') return random.pick([begin, open, ...seldom])();
  return random.pick([...often, merge, merge, ...often, merge, merge, ...seldom])();
}

interface Told {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: events of every shape.
  data: any;
}

/** Goes through the log and says where a merge was not decided against the commits and records of its moment. */
function wrongIn(log: readonly Told[], projectId: number): string[] {
  const wrong: string[] = [];
  const tips = new Map<string, string>();
  const requests = new Map<number, { status: string; sha?: string; branch: string; target: string }>();
  const moved = new Set<number>();
  for (const { type, data } of log) {
    if (data?.projectId !== projectId) continue;
    const request = requests.get(data.iid);
    switch (type) {
      case 'RefUpdated': {
        if ((tips.get(data.ref) ?? NOBODY) !== data.oldOid)
          wrong.push(`${data.ref} was not at ${data.oldOid}`);
        if (data.merge) {
          const { iid, sha } = data.merge;
          const of = requests.get(iid);
          if (of?.status !== 'locked' || of.sha !== sha) wrong.push(`!${iid} moved ${data.ref} unasked`);
          if (`refs/heads/${of?.target}` !== data.ref)
            wrong.push(`!${iid} moved ${data.ref}, not its target`);
          if (tips.get(`refs/heads/${of?.branch}`) !== sha) wrong.push(`!${iid} merged what its source left`);
          if (moved.has(iid)) wrong.push(`!${iid} moved its target twice`);
          moved.add(iid);
        }
        tips.set(data.ref, data.newOid);
        break;
      }
      case 'MergeRequestCreated':
        requests.set(data.iid, { status: 'opened', branch: data.sourceBranch, target: data.targetBranch });
        break;
      case 'MergeRequestUpdated':
        if (data.changes.targetBranch) request!.target = data.changes.targetBranch;
        break;
      case 'MergeRequestMergeStarted':
        if (request!.status !== 'opened') wrong.push(`!${data.iid} began while it was ${request!.status}`);
        Object.assign(request!, { status: 'locked', sha: data.sha });
        break;
      case 'MergeRequestMergeFailed':
        if (moved.has(data.iid)) wrong.push(`!${data.iid} failed after it moved its target`);
        request!.status = 'opened';
        break;
      case 'MergeRequestClosed':
        request!.status = 'closed';
        break;
      case 'MergeRequestReopened':
        request!.status = 'opened';
        break;
      case 'MergeRequestMerged':
        if (request!.status === 'merged') wrong.push(`!${data.iid} merged twice`);
        request!.status = 'merged';
        break;
    }
    const open = [...requests.entries()].filter(
      ([, { status }]) => status === 'opened' || status === 'locked',
    );
    const pairs = open.map(([, { branch, target }]) => `${branch} ${target}`);
    if (new Set(pairs).size !== pairs.length) wrong.push(`two are open for the same branches after ${type}`);
  }
  return wrong;
}

/** Says where records tell something else than git. */
async function wrongInGit({ forgelog, project, gitDir }: Storm): Promise<string[]> {
  const wrong: string[] = [];
  const requests = await must(forgelog.get(`${project}/merge_requests?per_page=100`));
  const lines = new Map<string, string[]>();
  for (const target of TARGETS)
    lines.set(target, (await git(gitDir, 'rev-list', '--first-parent', target)).split('\n'));
  for (const { iid } of requests) {
    const one = await must(forgelog.get(`${project}/merge_requests/${iid}`));
    const { state, sha, target_branch: target, source_branch: source, merge_commit_sha: merge } = one;
    if (state === 'locked') wrong.push(`!${iid} is still being merged`);
    const contains = async (commit: string) =>
      (await tryGit(gitDir, 'merge-base', '--is-ancestor', commit, target)).code === 0;
    if (state === 'merged' && !(await contains(one.squash_commit_sha ?? sha)))
      wrong.push(`!${iid} is merged, and ${target} lacks its commit`);
    if (merge) {
      if (state !== 'merged') wrong.push(`!${iid} is ${state} and has a merge commit`);
      if (lines.get(target)!.filter((commit) => commit === merge).length !== 1)
        wrong.push(`${target} has not been at the merge commit of !${iid}`);
      const parent = await git(gitDir, 'rev-parse', `${merge}^2`);
      if (parent !== (one.squash_commit_sha ?? sha)) wrong.push(`!${iid} merged ${parent}`);
    }
    const tip = await tryGit(gitDir, 'rev-parse', '--verify', `refs/heads/${source}`);
    if (state !== 'opened' || tip.code !== 0) continue;
    if (tip.stdout.trim() !== sha) wrong.push(`!${iid} shows ${sha}, and its branch is at ${tip.stdout}`);
    const merged = await tryGit(gitDir, 'merge-tree', '--write-tree', target, sha);
    if ((merged.code === 1) !== one.has_conflicts) wrong.push(`!${iid} tells conflicts otherwise than git`);
  }
  return wrong;
}

test('whatever happens at once, what is merged was decided against the true tips and rights, and once', async () => {
  for (let round = 0; round < faultRounds(1, 8); round++) {
    const storm = await prepared();
    const { forgelog, id, gitDir, protectedTimes, granted } = storm;
    const told: number[] = [];
    await Promise.all(
      Array.from({ length: HANDS }, async (_, hand) => {
        const random = createRandom(faultSeed + round * HANDS + hand);
        for (let at = 0; at < DEEDS; at++) told.push((await deed(storm, random)).status);
      }),
    );
    expect(told.filter((status) => status >= 500)).toEqual([]);
    const log = () => forgelog.system.store.readAll({ after: '', limit: 100_000 });
    const settled = async () => {
      const before = (await log()).length;
      const wrong = await wrongInGit(storm);
      return (await log()).length === before ? wrong : ['policies are at work'];
    };
    await eventually('records tell what git has', settled, { until: ({ length }) => length === 0 });
    expect(wrongIn((await log()) as Told[], id)).toEqual([]);
    const refs = await git(gitDir, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/');
    const tips = new Map<string, string>();
    for (const { type, data } of (await log()) as Told[])
      if (type === 'RefUpdated' && data.newOid === NOBODY) tips.delete(data.ref);
      else if (type === 'RefUpdated') tips.set(data.ref, data.newOid);
    expect(refs.split('\n').toSorted()).toEqual([...tips].map((ref) => ref.join(' ')).toSorted());
    const against = granted.filter((merge) =>
      protectedTimes.some(({ from, to }) => from <= merge.from && merge.to <= to),
    );
    expect(against).toEqual([]);
  }
});
