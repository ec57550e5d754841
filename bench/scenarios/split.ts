import { compare, figures, ratios, type Side } from '../harness/compare.ts';
import { createIssueTexts } from '../harness/issue-texts.ts';
import { httpRequest, load } from '../harness/load.ts';
import { type Bench, type Result, result, type Scenario } from '../harness/scenario.ts';
import { ROOT_TOKEN } from '../harness/seed.ts';
import { answerOf } from '../harness/servers.ts';
import {
  type SplitProcesses,
  startBarePair,
  startSplitProcesses,
  together,
} from '../harness/split-servers.ts';
import { median } from '../harness/statistics.ts';

const ISSUES = 400;
const BUSY = 64;
const WRITERS = 32;
const IDLE = ['repo', 'ci', 'admin'] as const;

/** The five services as processes: what being apart costs beside two bare processes of `node:http`. */
export const split: Scenario = {
  goals: [27],
  async run(bench: Bench) {
    const split = await startSplitProcesses(await bench.folder());
    try {
      const project = await seed(split);
      bench.tell(`${ISSUES} issues in five processes`);
      return [...(await reads(split, project, bench)), ...(await writes(split, project, bench))];
    } finally {
      await split.stop();
    }
  },
};

/** Gives the id of a project with issues. */
async function seed(split: SplitProcesses): Promise<number> {
  const { port } = split.gateway;
  const project = await fetch(`http://127.0.0.1:${port}/api/v4/projects`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ name: 'apart' }),
  });
  if (project.status !== 201) throw new Error(`POST /projects: ${project.status} ${await project.text()}`);
  const { id } = (await project.json()) as { id: number };
  const next = newIssue(id);
  await load({ port, next, connections: WRITERS, requests: ISSUES, seconds: 300, status: 201, awake: false });
  return id;
}

const token = { 'PRIVATE-TOKEN': ROOT_TOKEN };
const json = { ...token, 'Content-Type': 'application/json' };
const get = (path: string) => httpRequest('GET', `/api/v4${path}`, token);

function newIssue(project: number): () => string {
  const textOf = createIssueTexts(3, [1]);
  let number = 0;
  return () => {
    const { title, description, labels } = textOf(++number);
    const body = JSON.stringify({ title, description, labels: labels.join() });
    return httpRequest('POST', `/api/v4/projects/${project}/issues`, json, body);
  };
}

async function reads(split: SplitProcesses, project: number, { options }: Bench): Promise<Result[]> {
  const ours = together(split.gateway, split.tracker);
  const page = (number: number) => `/projects/${project}/issues?page=${number}`;
  const one = (number: number) => `/projects/${project}/issues/${number}`;
  let at = 0;
  const rows = [
    { name: 'one issue, 1 connection', connections: 1, path: () => one(1 + (at++ % ISSUES)) },
    { name: `one issue, ${BUSY} connections`, connections: BUSY, path: () => one(1 + (at++ % ISSUES)) },
    {
      name: `a page of 20 issues, ${BUSY} connections`,
      connections: BUSY,
      path: () => page(1 + (at++ % 20)),
    },
  ];
  const results: Result[] = [];
  for (const { name, connections, path } of rows) {
    const pair = await startBarePair(await answerOf(split.gateway, get(path())));
    try {
      const given = { status: 200, connections, next: () => get(path()) };
      const sides: Record<'pair' | 'split', Side> = {
        pair: { process: pair, load: given },
        split: { process: ours, load: given },
      };
      const measured = await compare(sides, { ...options, by: 'cpu' });
      const detail = `bare pair ${figures(measured.pair)}; gateway and tracker ${figures(measured.split)}`;
      results.push(
        result(27, `apart: ${name}`, { atMost: 3 }, ratios(measured.split, measured.pair, 'cpu'), detail),
      );
    } finally {
      await pair.stop();
    }
  }
  return results;
}

/** Milliseconds of processor time a write, of all processes of ours and of one that has nothing to do with it. */
async function writes(split: SplitProcesses, project: number, { options }: Bench): Promise<Result[]> {
  const names = ['gateway', 'tracker', ...IDLE, ...(split.log ? (['log'] as const) : [])] as const;
  const next = newIssue(project);
  const rounds: Record<string, number>[] = [];
  for (let round = -2; round < options.rounds; round += 1) {
    const before = await Promise.all(names.map((name) => split[name]!.usage()));
    const given = { port: split.gateway.port, next, connections: WRITERS, status: 201, awake: false };
    const done = await load({ ...given, requests: 100_000, seconds: options.seconds });
    const after = await Promise.all(names.map((name) => split[name]!.usage()));
    if (round < 0) continue;
    const spent = names.map((name, index) => {
      const ms = (after[index]!.cpu - before[index]!.cpu) / 1000 / done.requests;
      return [name, ms] as const;
    });
    rounds.push({ ...Object.fromEntries(spent), rate: done.requests / done.seconds });
  }
  const of = (name: string) => rounds.map((round) => round[name]!);
  const detail = [...names.map((name) => `${name} ${median(of(name)).toFixed(2)} ms`)].join(', ');
  const ours = rounds.map((round) =>
    names.filter((name) => name !== 'log').reduce((sum, name) => sum + round[name]!, 0),
  );
  const idle = rounds.map((round) => Math.max(...IDLE.map((name) => round[name]!)));
  return [
    result(
      27,
      `apart: POST issue, ${WRITERS} connections, ms in all processes of ours`,
      { atMost: 1.2 },
      ours,
      `${detail}; ${Math.round(median(of('rate')))}/s`,
    ),
    result(
      27,
      'apart: ms in the busiest process that the issue does not concern',
      { atMost: 0.03 },
      idle,
      detail,
    ),
  ];
}
