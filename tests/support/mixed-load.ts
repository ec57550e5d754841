import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerWithin, type Kept, verdictOf } from './load-answers.ts';
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
   * this run so far. A lasting load writes on whatever it is answered, and holds each answer against what a client
   * may expect (see load-answers.ts).
   */
  run(address: string, onAcknowledged: (count: number, stop: () => void) => void): Promise<void>;
  /** What a server has not kept, [] where all is well. */
  check(address: string): Promise<string[]>;
  acknowledged(): number;
  /** What was acknowledged, for who reads it again. */
  kept: Kept;
  /** Where its project is in the API. */
  at: string;
  /** What was answered that no client should meet. */
  surprises: string[];
  /** How many writes had no acknowledgement so far. */
  refusals(): number;
  /** What was said in place of an acknowledgement. */
  told: string[];
}

interface Tried {
  acknowledged: boolean;
  /** It was said that nothing happened. */
  refused: boolean;
}
/** Everything tried of one kind, by a text that names it. */
type Attempts = Map<string, Tried>;

type Verdict = 'acknowledged' | 'refused' | 'unknown';

export type Api = (
  method: string,
  path: string,
  json?: object,
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
) => Promise<{ status: number; headers: Headers; body: any }>;

export function apiOf(address: string, token = ROOT_TOKEN): Api {
  return async (method, path, json) => {
    const response = await fetch(`${address}/api/v4${path}`, {
      method,
      headers: { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' },
      body: json && JSON.stringify(json),
      signal: answerWithin(),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson && text ? JSON.parse(text) : text,
    };
  };
}

/** A server that refuses for good is no reason to ask for ever. */
const MOST_REFUSALS = 100;
/** Between a refusal and the next try of a lasting load. */
const PAUSE_MS = 50;
const BRANCHES = ['push-1', 'push-2'];
const DESCRIPTION = 'A description that is there whenever its issue is. ';

/**
 * @param folder an empty one, for the working copies
 * @param options.lasting writes on through every refusal, with fewer hands
 * @param options.mayBreak whether the server itself may go away while it lasts, and connections with it
 */
export async function createMixedLoad(
  address: string,
  folder: string,
  { lasting = false, mayBreak = false } = {},
): Promise<MixedLoad> {
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
  const told: string[] = [];
  const kept: Kept = { issues: [], notes: [], files: [], tags: [] };
  let total = 0;
  let unacknowledged = 0;

  const url = (address: string) => address.replace('://', `://root:${ROOT_TOKEN}@`).concat('/root/load.git');
  for (const branch of BRANCHES) await git(folder, 'init', '-q', '-b', 'main', branch);
  await git(folder, 'init', '-q', '--bare', 'check');

  /** A call is acknowledged, refused for the moment (which is no acknowledgement), or a surprise. */
  async function calls(
    api: Api,
    path: string,
    json: object,
    // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape.
    keep: (body: any) => void,
  ): Promise<Verdict> {
    const answer = await api('POST', path, json);
    const { verdict, surprise } = verdictOf(answer, 201);
    if (surprise) surprises.push(`POST ${path}: ${surprise}`);
    if (verdict === 'right') keep(answer.body);
    else told.push(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return verdict === 'right' ? 'acknowledged' : lasting ? verdict : 'unknown';
  }

  async function push(branch: string, name: string, address: string): Promise<Verdict> {
    const copy = join(folder, branch);
    await writeFile(join(copy, 'content'), `${name}\n`.repeat(2000));
    await git(copy, 'add', '-A');
    await git(copy, 'commit', '-q', '-m', name);
    const refs = [`HEAD:refs/heads/${branch}`, `HEAD:refs/tags/${name}`];
    const { code, stderr } = await tryGit(copy, 'push', '-q', '--atomic', url(address), ...refs);
    if (code === 0) kept.tags.push(name);
    else told.push(`push of ${name}: ${stderr}`);
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
        if (!isAsked(issues, title) || seen.has(title))
          wrong.push(`issue ${iid} "${title}" is there unasked`);
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
    for (const body of seen) if (!isAsked(notes, body)) wrong.push(`comment "${body}" is there unasked`);
    return [...wrong, ...lost('comment', notes, seen)];
  }

  /** Each commit of a file also says in `newest` which one it is: both or none. A file has one commit. */
  async function checkFiles(copy: string): Promise<string[]> {
    const names = (await git(copy, 'ls-tree', '--name-only', 'refs/heads/main')).split('\n');
    const subjects = (await git(copy, 'log', '--format=%s', 'refs/heads/main')).split('\n');
    const seen = new Set(names.filter((name) => name.startsWith('file-')));
    const wrong: string[] = [];
    for (const name of seen) if (!isAsked(files, name)) wrong.push(`file ${name} is there unasked`);
    if (new Set(subjects).size < subjects.length) wrong.push('a commit is there twice');
    for (const name of seen)
      if ((await git(copy, 'show', `refs/heads/main:${name}`)) !== name.repeat(100))
        wrong.push(`file ${name} is half`);
    const [last] = subjects;
    if (last && files.has(last) && (await git(copy, 'show', 'refs/heads/main:newest')) !== last)
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
    refusals: () => unacknowledged,
    kept,
    at,
    surprises,
    told,

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
          const tried: Tried = { acknowledged: false, refused: false };
          attempts.set(text, tried);
          let verdict: Verdict;
          try {
            verdict = await write(text);
          } catch (error) {
            if (!lasting) {
              over = true; // nobody answers any more
              return;
            }
            if (!mayBreak) surprises.push(`${text}: no answer: ${(error as Error).cause ?? error}`);
            verdict = 'unknown';
          }
          if (verdict !== 'acknowledged') {
            tried.refused = verdict === 'refused';
            unacknowledged += 1;
            over ||= !lasting && ++refusals >= MOST_REFUSALS;
            if (lasting) await sleep(PAUSE_MS);
            continue;
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
        if (!lasting && (await verdict) === 'unknown') await fetch(`${address}/-/liveness`); // throws where it is gone
        return verdict;
      };
      const issue = (title: string) =>
        calls(api, `${at}/issues`, { title, description: DESCRIPTION + title, labels: 'a,b' }, ({ iid }) =>
          kept.issues.push({ iid, title }),
        );
      const note = (body: string) =>
        calls(api, `${at}/issues/1/notes`, { body }, ({ id }) => kept.notes.push({ id, body }));
      const file = (name: string) => {
        const actions = [
          { action: 'create', file_path: name, content: name.repeat(100) },
          { action: 'update', file_path: 'newest', content: name },
        ];
        const commit = { branch: 'main', commit_message: name, actions };
        return calls(api, `${at}/repository/commits`, commit, () => kept.files.push(name));
      };
      await Promise.all([
        ...(lasting ? [1] : [1, 2, 3]).map(() => worker(issues, () => `Issue ${issues.size + 1}`, issue)),
        ...(lasting ? [1] : [1, 2]).map(() => worker(notes, () => `Comment ${notes.size + 1}`, note)),
        worker(files, () => `file-${files.size + 1}`, file),
        ...BRANCHES.slice(lasting ? 1 : 0).map((branch) => {
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

const isAsked = (attempts: Attempts, name: string): boolean => attempts.get(name)?.refused === false;

function lost(what: string, attempts: Attempts, seen: ReadonlySet<string>): string[] {
  const missing = [...attempts].filter(([name, { acknowledged }]) => acknowledged && !seen.has(name));
  return missing.map(([name]) => `${what} ${name} was acknowledged and is lost`);
}
