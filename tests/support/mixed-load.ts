import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git, tryGit } from './stock-git.ts';

export const ROOT_TOKEN = 'root-token-of-the-tests-1234';

/**
 * Issues, comments, files and pushes, several of each at once, against a server that may end at any moment; and the
 * check that it kept what it acknowledged, once, and made nothing half. What was neither acknowledged nor refused may
 * be there or not.
 */
export interface MixedLoad {
  /**
   * Writes until the server is gone, or refuses too often, or `stop` is called. `onAcknowledged` hears the number of
   * this run so far.
   */
  run(address: string, onAcknowledged: (count: number, stop: () => void) => void): Promise<void>;
  /** What a server has not kept, [] where all is well. */
  check(address: string): Promise<string[]>;
  acknowledged(): number;
}

interface Tried {
  acknowledged: boolean;
}
/** Everything tried of one kind, by a text that names it. */
type Attempts = Map<string, Tried>;

type Verdict = 'acknowledged' | 'unknown';

export type Api = (
  method: string,
  path: string,
  json?: object,
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
) => Promise<{ status: number; body: any }>;

export function apiOf(address: string, token = ROOT_TOKEN): Api {
  return async (method, path, json) => {
    const response = await fetch(`${address}/api/v4${path}`, {
      method,
      headers: { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' },
      body: json && JSON.stringify(json),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return { status: response.status, body: isJson && text ? JSON.parse(text) : text };
  };
}

/** A server that refuses for good is no reason to ask for ever. */
const MOST_REFUSALS = 100;
const BRANCHES = ['push-1', 'push-2'];
const DESCRIPTION = 'A description that is there whenever its issue is. ';

/** @param folder an empty one, for the working copies */
export async function createMixedLoad(address: string, folder: string): Promise<MixedLoad> {
  const project = await apiOf(address)('POST', '/projects', { name: 'load', initialize_with_readme: true });
  if (project.status !== 201) throw new Error(JSON.stringify(project.body));
  const at = `/projects/${project.body.id}`;
  await apiOf(address)('POST', `${at}/issues`, { title: 'The one with comments' });
  await apiOf(address)('POST', `${at}/repository/commits`, {
    branch: 'main',
    commit_message: 'Begin',
    actions: [{ action: 'create', file_path: 'newest', content: 'none' }],
  });
  const issues: Attempts = new Map();
  const notes: Attempts = new Map();
  const files: Attempts = new Map();
  const pushes = new Map<string, Attempts>(BRANCHES.map((branch) => [branch, new Map()]));
  const surprises: string[] = [];
  let total = 0;

  const url = (address: string) => address.replace('://', `://root:${ROOT_TOKEN}@`).concat('/root/load.git');
  for (const branch of BRANCHES) await git(folder, 'init', '-q', '-b', 'main', branch);
  await git(folder, 'init', '-q', '--bare', 'check');

  /** A call is acknowledged, refused for the moment (which is no acknowledgement), or a surprise. */
  async function calls(api: Api, path: string, json: object): Promise<Verdict> {
    const { status, body } = await api('POST', path, json);
    if (status === 201) return 'acknowledged';
    if (status !== 503) surprises.push(`POST ${path}: ${status} ${JSON.stringify(body)}`);
    return 'unknown';
  }

  async function push(branch: string, name: string, address: string): Promise<Verdict> {
    const copy = join(folder, branch);
    await writeFile(join(copy, 'content'), `${name}\n`.repeat(2000));
    await git(copy, 'add', '-A');
    await git(copy, 'commit', '-q', '-m', name);
    const refs = [`HEAD:refs/heads/${branch}`, `HEAD:refs/tags/${name}`];
    const { code } = await tryGit(copy, 'push', '-q', '--atomic', url(address), ...refs);
    return code === 0 ? 'acknowledged' : 'unknown';
  }

  async function checkIssues(api: Api): Promise<string[]> {
    const wrong: string[] = [];
    const seen = new Set<string>();
    const iids: number[] = [];
    for (let page = 1; page !== 0; ) {
      const { body } = await api('GET', `${at}/issues?scope=all&per_page=100&page=${page}`);
      for (const { iid, title, description, labels } of body) {
        iids.push(iid);
        if (title === 'The one with comments') continue;
        if (!issues.has(title) || seen.has(title)) wrong.push(`issue ${iid} "${title}" is there unasked`);
        if (description !== DESCRIPTION + title || labels.join() !== 'a,b')
          wrong.push(`issue ${iid} "${title}" is half`);
        seen.add(title);
      }
      page = body.length < 100 ? 0 : page + 1;
    }
    if (iids.length !== Math.max(...iids)) wrong.push(`issues have gaps: ${iids.join()}`);
    return [...wrong, ...lost('issue', issues, seen)];
  }

  async function checkNotes(api: Api): Promise<string[]> {
    const present: string[] = [];
    for (let page = 1; page !== 0; ) {
      const { body } = await api('GET', `${at}/issues/1/notes?per_page=100&page=${page}`);
      for (const note of body) if (!note.system) present.push(note.body);
      page = body.length < 100 ? 0 : page + 1;
    }
    const seen = new Set(present);
    const wrong = present.length === seen.size ? [] : ['a comment is there twice'];
    for (const body of seen) if (!notes.has(body)) wrong.push(`comment "${body}" is there unasked`);
    return [...wrong, ...lost('comment', notes, seen)];
  }

  /** Each commit of a file also says in `newest` which one it is: both or none. */
  async function checkFiles(copy: string): Promise<string[]> {
    const names = (await git(copy, 'ls-tree', '--name-only', 'refs/heads/main')).split('\n');
    const seen = new Set(names.filter((name) => files.has(name)));
    const wrong: string[] = [];
    for (const name of seen)
      if ((await git(copy, 'show', `refs/heads/main:${name}`)) !== name.repeat(100))
        wrong.push(`file ${name} is half`);
    const last = [...files.keys()].findLast((name) => seen.has(name));
    if (last && (await git(copy, 'show', 'refs/heads/main:newest')) !== last)
      wrong.push('a commit is half there');
    return [...wrong, ...lost('file', files, seen)];
  }

  /** Each push moves a branch and makes a tag, atomically. */
  async function checkPushes(copy: string): Promise<string[]> {
    const wrong: string[] = [];
    for (const [branch, attempts] of pushes) {
      const tags = new Set((await git(copy, 'tag', '-l', `${branch}-*`)).split('\n').filter(Boolean));
      for (const tag of tags) if (!attempts.has(tag)) wrong.push(`tag ${tag} is there unasked`);
      wrong.push(...lost('push', attempts, tags));
      const last = [...attempts.keys()].findLast((name) => tags.has(name));
      if (last === undefined) continue;
      const [tip, tag] = [
        await git(copy, 'rev-parse', `refs/heads/${branch}`),
        await git(copy, 'rev-parse', `refs/tags/${last}`),
      ];
      if (tip !== tag) wrong.push(`${branch} is at ${tip}, its last tag ${last} at ${tag}`);
    }
    return wrong;
  }

  return {
    acknowledged: () => total,

    async run(address, onAcknowledged) {
      const api = apiOf(address);
      let count = 0;
      let over = false;
      let refusals = 0;
      const worker = async (
        attempts: Attempts,
        name: () => string,
        write: (name: string) => Promise<Verdict>,
      ) => {
        while (!over) {
          const text = name();
          const tried: Tried = { acknowledged: false };
          attempts.set(text, tried);
          try {
            if ((await write(text)) !== 'acknowledged') {
              over ||= ++refusals >= MOST_REFUSALS;
              continue;
            }
          } catch {
            over = true; // nobody answers any more
            return;
          }
          tried.acknowledged = true;
          total += 1;
          count += 1;
          onAcknowledged(count, () => {
            over = true;
          });
        }
      };
      const gone = async (verdict: Promise<Verdict>) => {
        if ((await verdict) === 'unknown') await fetch(`${address}/-/liveness`); // throws where it is gone
        return verdict;
      };
      const issue = (title: string) =>
        calls(api, `${at}/issues`, { title, description: DESCRIPTION + title, labels: 'a,b' });
      const note = (body: string) => calls(api, `${at}/issues/1/notes`, { body });
      const file = (name: string) =>
        calls(api, `${at}/repository/commits`, {
          branch: 'main',
          commit_message: name,
          actions: [
            { action: 'create', file_path: name, content: name.repeat(100) },
            { action: 'update', file_path: 'newest', content: name },
          ],
        });
      await Promise.all([
        ...[1, 2, 3].map(() => worker(issues, () => `Issue ${issues.size + 1}`, issue)),
        ...[1, 2].map(() => worker(notes, () => `Comment ${notes.size + 1}`, note)),
        worker(files, () => `file-${files.size + 1}`, file),
        ...BRANCHES.map((branch) => {
          const attempts = pushes.get(branch)!;
          const name = () => `${branch}-${attempts.size + 1}`;
          return worker(attempts, name, (tag) => gone(push(branch, tag, address)));
        }),
      ]);
    },

    async check(address) {
      const api = apiOf(address);
      const copy = join(folder, 'check');
      await git(copy, 'fetch', '-q', '--prune', url(address), '+refs/*:refs/*');
      return [
        ...surprises,
        ...(await checkIssues(api)),
        ...(await checkNotes(api)),
        ...(await checkFiles(copy)),
        ...(await checkPushes(copy)),
      ];
    },
  };
}

function lost(what: string, attempts: Attempts, seen: ReadonlySet<string>): string[] {
  const missing = [...attempts].filter(([name, { acknowledged }]) => acknowledged && !seen.has(name));
  return missing.map(([name]) => `${what} ${name} was acknowledged and is lost`);
}
