import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createGit, type Repository } from '@forgelog/git/git.ts';
import { textOf } from '../../services/repo/src/code-index/code-index.ts';
import { codeIndexFile } from '../../services/repo/src/code-index/code-index-file.ts';
import runTask, { type IndexedFile } from '../../services/repo/src/code-index/code-index-thread.ts';
import { codeQuery } from '../../services/repo/src/search/code-query.rules.ts';
import { confirmed, excerptAround } from '../../services/repo/src/search/code-search.query.ts';
import { git } from '../harness/git-plumbing.ts';
import { createRandom } from '../harness/random.ts';
import { type Bench, type Result, result, type Scenario } from '../harness/scenario.ts';
import { median } from '../harness/statistics.ts';

const PAGE = 21;
const FILE_BYTES = 10_000;
const LINE_WORDS = 8;
const VOCABULARY = 20_000;
const AT_ONCE = 500;
const PROJECT = 1;
const MEASURED_MS = 300;
/** So many files hold the text: one in this number. */
const TEXTS = {
  rare_needle: 20_000,
  'some.needle[0]': 500,
  often_needle: 20,
  no_needle_at_all: Number.POSITIVE_INFINITY,
};

/** Measures a page of files that hold a text, by the index and read from git, against `git grep` in the same tree. */
export const codeSearch: Scenario = {
  goals: [33],
  async run({ options, folder, tell }: Bench) {
    const root = await folder();
    const files = options.large / 10;
    await fill(join(root, 'code.git'), files, tell);
    const engine = createGit({ root });
    try {
      const repository = engine.repository('code.git');
      const head = (await repository.readRef('refs/heads/main'))!;
      const file = codeIndexFile(root);
      const began = performance.now();
      await index(repository, file, head, tell);
      const filled = ((performance.now() - began) / 1000).toFixed(0);
      const results: Result[] = [];
      for (const text of Object.keys(TEXTS)) {
        const costs = { product: [] as number[], grep: [] as number[] };
        for (let round = -1; round < options.rounds; round += 1) {
          const product = await durationOf(() => page(repository, file, head, text));
          const grep = await durationOf(async () => grepped(repository.gitDir, head, text));
          if (round >= 0) costs.product.push(product);
          if (round >= 0) costs.grep.push(grep);
        }
        const each = costs.product.map((cost, round) => cost / costs.grep[round]!);
        const says = (side: keyof typeof costs) => `${side} ${median(costs[side]).toFixed(1)} ms`;
        const name = `the text ${text} in ${(files * FILE_BYTES) / 1e6} MB of code against git grep`;
        const detail = `${says('product')}; ${says('grep')}; indexed in ${filled} s`;
        results.push(result(33, name, { atMost: 0.1 }, each, detail));
      }
      return results;
    } finally {
      await engine.close();
    }
  },
};

/** As a search in a project answers. */
async function page(repository: Repository, file: string, oid: string, text: string): Promise<void> {
  const likely = runTask(['candidates', { file, projectId: PROJECT, oid, search: text }])!;
  const bounds = { most: PAGE, end: Number.POSITIVE_INFINITY };
  const read = (found: { oid: string }) => textOf(repository, found.oid);
  const { files } = await confirmed(likely, codeQuery(text), read, bounds);
  for (const found of files.slice(0, PAGE)) excerptAround(await read(found), text);
}

function grepped(gitDir: string, oid: string, text: string): void {
  const done = spawnSync(
    'git',
    ['--git-dir', gitDir, 'grep', '-I', '-i', '-F', '-l', '-z', '-e', text, oid],
    {
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (done.status !== 0 && done.status !== 1) throw new Error(`git grep: ${done.stderr}`);
}

async function index(repository: Repository, file: string, oid: string, tell: Bench['tell']): Promise<void> {
  const listing = await repository.treeListing(oid);
  const missing = runTask(['begin', { file, projectId: PROJECT, listing }]);
  for (let at = 0; at < missing.length; at += AT_ONCE) {
    const files: IndexedFile[] = [];
    for (const { path, oid } of missing.slice(at, at + AT_ONCE))
      files.push({ path, oid, text: await textOf(repository, oid) });
    runTask(['add', { file, projectId: PROJECT, files }]);
    if (at % 10_000 === 0) tell(`${at} of ${missing.length} files indexed`);
  }
  runTask(['end', { file, projectId: PROJECT, oid }]);
}

async function fill(gitDir: string, files: number, tell: Bench['tell']): Promise<void> {
  git(gitDir, ['init', '--quiet', '--bare', gitDir]);
  const importing = spawn('git', ['--git-dir', gitDir, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(importing, 'close');
  const random = createRandom(11);
  const letters = () => String.fromCharCode(97 + Math.floor(random() * 26));
  const words = Array.from({ length: VOCABULARY }, () =>
    Array.from({ length: 3 + Math.floor(random() * 8) }, letters).join(''),
  );
  for (let at = 1; at <= files; at += 1) {
    const lines: string[] = [];
    for (let length = 0; length < FILE_BYTES; ) {
      const line = Array.from({ length: LINE_WORDS }, () => words[Math.floor(random() * VOCABULARY)]).join(
        ' ',
      );
      lines.push(line);
      length += line.length + 1;
    }
    for (const [text, every] of Object.entries(TEXTS))
      if (at % Math.min(every, files) === 0 && Number.isFinite(every)) lines[3] += ` ${text}`;
    const content = lines.join('\n');
    if (!importing.stdin.write(`blob\nmark :${at}\ndata ${Buffer.byteLength(content)}\n${content}\n`))
      await once(importing.stdin, 'drain');
    if (at % 10_000 === 0) tell(`${at} of ${files} files written`);
  }
  importing.stdin.write('commit refs/heads/main\ncommitter Bench <bench@example.org> 1 +0000\ndata 1\nx\n');
  for (let at = 1; at <= files; at += 1)
    importing.stdin.write(`M 100644 :${at} src/${at % 100}/file-${at}.c\n`);
  importing.stdin.end('\n');
  await ended;
}

/** Milliseconds each. */
async function durationOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  let done = 0;
  for (; done === 0 || performance.now() - began < MEASURED_MS; done += 1) await work();
  return (performance.now() - began) / done;
}
