import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { IssueOpened } from '@forgelog/contracts/tracker/issues/issue.events.ts';
import { openSqliteEventStore } from '@forgelog/eventing/adapters/sqlite/sqlite-event-store.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import { createIssueTexts } from '../harness/issue-texts.ts';
import { type MeasuredProcess, startMeasured } from '../harness/measured-process.ts';
import { policiesAtEnd } from '../harness/policies-at-end.ts';
import { type Bench, result, type Scenario } from '../harness/scenario.ts';
import { OUT, ROOT_TOKEN } from '../harness/seed.ts';
import { startProduct } from '../harness/servers.ts';
import { median } from '../harness/statistics.ts';

const PROJECTS = 1_000;
const [WARM, IDLE, IDLE_ROUNDS] = [500, 1_000, 3];
const MB = 1024 * 1024;
const SETTLE_MS = 2_000;

/** The event stream: the backlog whole and of one project, rights asked at each event, and idle subscribers. */
export const eventStream: Scenario = {
  goals: [22],
  async run(bench: Bench) {
    const folder = await bench.folder();
    const { project, token, events } = await fill(folder, bench);
    const copy = await bench.folder();
    await cp(folder, copy, { recursive: true });
    const once = await startRightsOnce(copy);
    let product = await startProduct(folder);
    try {
      const sides = {
        whole: () => backlog(product, '/event_stream', ROOT_TOKEN),
        filtered: () => backlog(product, `/event_stream?project_id=${project}`, ROOT_TOKEN),
        asked: () => backlog(product, `/projects/${project}/event_stream`, token),
        once: () => backlog(once, `/projects/${project}/event_stream`, token),
      };
      const rounds: Record<keyof typeof sides, number[]> = { whole: [], filtered: [], asked: [], once: [] };
      for (let round = -2; round < bench.options.rounds; round += 1)
        for (const name of Object.keys(sides) as (keyof typeof sides)[]) {
          const cpu = await sides[name]();
          if (round >= 0) rounds[name].push(cpu);
        }
      const perMs = (name: keyof typeof sides) => rounds[name].map((cpu) => 1000 / cpu);
      const detail = (name: keyof typeof sides) =>
        `${median(rounds[name]).toFixed(1)} µs of processor time each`;
      await product.stop();
      product = await startProduct(folder);
      const idle = await idleSubscribers(product);
      return [
        result(
          22,
          `backlog of ${events} events, events per ms of processor time`,
          { atLeast: 70 },
          perMs('whole'),
          detail('whole'),
        ),
        result(
          22,
          `backlog of one of ${PROJECTS} projects, likewise`,
          { atLeast: 50 },
          perMs('filtered'),
          detail('filtered'),
        ),
        result(
          22,
          'stream of a project, rights asked at each event, against rights asked once',
          { atMost: 1.2 },
          rounds.asked.map((cpu, round) => cpu / rounds.once[round]!),
          detail('asked'),
        ),
        result(
          22,
          `memory of ${IDLE} idle subscribers beyond their connections, MB`,
          { atMost: 5 },
          idle.all.map((all, round) => all - idle.bare[round]!),
          `${median(idle.all).toFixed(1)} MB; node:http ${median(idle.bare).toFixed(1)} MB`,
        ),
      ];
    } finally {
      await Promise.all([product.stop(), once.stop()]);
    }
  },
};

const startRightsOnce = (folder: string) =>
  startMeasured(join(import.meta.dirname, '../harness/rights-once-server.ts'), {
    env: { DATA_DIR: folder, ROOT_TOKEN },
    output: join(OUT, 'rights-once.log'),
    ready: '/-/readiness',
  });

/** A log of 1,000 projects in one group; the first has a third of the issues. */
async function fill(folder: string, { options, tell }: Bench) {
  const first = await startProduct(folder);
  const call = async (path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${first.port}/api/v4${path}`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': ROOT_TOKEN, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: number; token: string };
  };
  const account = {
    username: 'member',
    name: 'Member',
    email: 'member@example.org',
    force_random_password: true,
  };
  const { id: member } = await call('/users', { ...account, skip_confirmation: true });
  const { token } = await call(`/users/${member}/personal_access_tokens`, { name: 'bench', scopes: ['api'] });
  const { id: project } = await call('/projects', { name: 'first' });
  await call(`/projects/${project}/members`, { user_id: member, access_level: 40 });
  await first.stop();

  const store = await openSqliteEventStore({ path: `${folder}/events.db` });
  const textOf = createIssueTexts(22, [1, member]);
  const events = options.quick ? 15_000 : 60_000;
  const open = async (number: number) => {
    const projectId = number % 3 === 0 ? project : project + 1 + (number % (PROJECTS - 1));
    const { time, ...text } = textOf(number);
    const data = {
      ...{
        issueId: number + 1,
        projectId,
        iid: number + 1,
        ...text,
        issueType: 'issue',
        confidential: false,
      },
      ...{ labelIds: text.labels.map((title) => Number(title.slice('label '.length)) + 1) },
      ...{ milestoneId: null, dueDate: null, weight: null, createdAt: null },
    };
    const event = {
      id: newEventId(),
      type: 'IssueOpened',
      schemaVersion: IssueOpened.version,
      time,
      data,
      metadata: SYSTEM_METADATA,
    };
    await store.append(`issue-${projectId}-${number + 1}`, 'no-stream', [event]);
  };
  for (let number = 0; number < events; number += 1_000)
    await Promise.all(Array.from({ length: 1_000 }, (_, at) => open(number + at)));
  await store.close();
  await policiesAtEnd(folder);
  tell(`${events} events of ${PROJECTS} projects`);
  return { project, token, events };
}

async function opened({ port }: MeasuredProcess, path: string, token: string): Promise<IncomingMessage> {
  const call = request({
    port,
    host: '127.0.0.1',
    path: `/api/v4${path}`,
    headers: { 'PRIVATE-TOKEN': token },
    agent: false,
  });
  call.end();
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
  return answer;
}

/** Microseconds of the server's processor time per event, up to the end of the log. */
async function backlog(product: MeasuredProcess, path: string, token: string): Promise<number> {
  const before = await product.usage();
  const answer = await opened(product, path, token);
  let count = 0;
  let rest = '';
  for await (const chunk of answer.setEncoding('latin1')) {
    rest += chunk;
    const frames = rest.split('\n\n');
    rest = frames.pop()!;
    count += frames.length;
    if (frames.some((frame) => frame.includes('\nevent: caught_up\n'))) break;
  }
  answer.destroy();
  const after = await product.usage();
  return (after.cpu - before.cpu) / count;
}

/** The position of the log's end, as a reader that has caught up is told it. */
async function endOf(product: MeasuredProcess): Promise<string> {
  const answer = await opened(product, '/event_stream?types=EpochBegun', ROOT_TOKEN);
  for await (const chunk of answer.setEncoding('latin1')) {
    const [, position] = /^data: \{"position":"([^"]+)"\}$/m.exec(chunk) ?? [];
    if (position !== undefined) {
      answer.destroy();
      return position;
    }
  }
  throw new Error('the stream ended before its reader had caught up');
}

/** Megabytes that the server's objects hold for idle subscribers, and how many of them plain `node:http` holds too. */
async function idleSubscribers(product: MeasuredProcess): Promise<{ all: number[]; bare: number[] }> {
  const bare = await startMeasured(join(import.meta.dirname, '../harness/open-answers-server.ts'), {
    output: join(OUT, 'open-answers.log'),
    ready: '/ready',
  });
  try {
    const path = `/event_stream?after=${await endOf(product)}`;
    return { all: await memoryOfIdle(product, path), bare: await memoryOfIdle(bare, path) };
  } finally {
    await bare.stop();
  }
}

async function memoryOfIdle(server: MeasuredProcess, path: string): Promise<number[]> {
  const open = async (count: number): Promise<IncomingMessage[]> => {
    const answers: IncomingMessage[] = [];
    for (let number = 0; number < count; number += 1) {
      const answer = await opened(server, path, ROOT_TOKEN);
      answers.push(answer.resume());
    }
    await sleep(SETTLE_MS);
    return answers;
  };
  // The first ones bring what is made once.
  const answers = await open(WARM);
  const rounds: number[] = [];
  for (let round = 0; round < IDLE_ROUNDS; round += 1) {
    const before = await server.held();
    const more = await open(IDLE);
    rounds.push(((await server.held()) - before) / MB);
    for (const answer of more) answer.destroy();
    await sleep(SETTLE_MS);
  }
  for (const answer of answers) answer.destroy();
  return rounds;
}
