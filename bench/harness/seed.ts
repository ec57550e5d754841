import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type NewEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import { openEmbeddedStores } from '@forgelog/infra/embedded-stores.ts';
import { type System, startSystem } from '@forgelog/infra/system.ts';
import { readConfiguration } from '@forgelog/service-kit/configuration.ts';
import { createLogger } from '@forgelog/service-kit/log.ts';
import { createIssueTexts } from './issue-texts.ts';
import { policiesAtEnd } from './policies-at-end.ts';

/** A data folder, and how to access its contents. */
export interface Seeded {
  folder: string;
  issues: number;
  /** The first project holds half of the issues, the others the rest. Issues are numbered from 1 in each project. */
  projects: { id: number; issues: number }[];
  /** Token of a developer in the group of all projects. */
  token: string;
}

export const ROOT_TOKEN = 'root-token-of-the-bench-1234';
export const OUT = join(import.meta.dirname, '../out');
const root = join(import.meta.dirname, '../..');
const SEED = 20_240_607;
const USERS = 50;
const PROJECTS = 21;
/** Concurrent appends; the log's writer stores them in groups. */
const HANDS = 2000;
const TELL_EVERY = 20_000;

/** The data folder with so many issues, cached or created. */
export async function seeded(issues: number, tell: (progress: string) => void): Promise<Seeded> {
  const folder = join(OUT, `data-${issues}-${await shape()}`);
  const known = await readFile(join(folder, 'seed.json'), 'utf8').catch(() => null);
  if (known !== null) return { ...(JSON.parse(known) as Seeded), folder };
  const making = `${folder}.making`;
  await rm(making, { recursive: true, force: true });
  await mkdir(making, { recursive: true });
  const made = await fill(making, issues, tell);
  await policiesAtEnd(making);
  await writeFile(join(making, 'seed.json'), JSON.stringify(made));
  await rename(making, folder);
  return { ...made, folder };
}

/** Hashes the code that determines the stored form of issues, so that changed code creates new data. */
async function shape(): Promise<string> {
  const hash = createHash('sha256');
  const files = globSync(
    [
      'services/tracker/src/issues/issues.collection.ts',
      'packages/contracts/src/tracker/issues/issue.events.ts',
      'packages/eventing/src/adapters/sqlite/{table,log-format}.ts',
      'bench/harness/{seed,issue-texts}.ts',
    ],
    { cwd: root },
  );
  for (const file of files.toSorted()) hash.update(await readFile(join(root, file)));
  return hash.digest('hex').slice(0, 8);
}

async function fill(folder: string, issues: number, tell: (progress: string) => void): Promise<Seeded> {
  const configuration = readConfiguration({
    PORT: '0',
    DATA_DIR: folder,
    ROOT_TOKEN,
    EXTERNAL_URL: 'http://forgelog.example',
    LOG_LEVEL: 'error',
  });
  const log = createLogger(configuration);
  const system = await startSystem({ configuration, log, openStores: openEmbeddedStores });
  try {
    const { users, projects, token } = await makePlaces(system, issues);
    await openIssues(system, users, projects, tell);
    return { folder, issues, projects, token };
  } finally {
    await system.stop();
  }
}

async function makePlaces(system: System, issues: number) {
  const call = async (path: string, body: object) => {
    const response = await fetch(`${system.address}/api/v4${path}`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': ROOT_TOKEN, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: number; token: string };
  };
  const users: number[] = [];
  for (let number = 1; number <= USERS; number += 1) {
    const username = `person${number}`;
    const email = `${username}@example.org`;
    const account = { username, name: `Person ${number}`, email, force_random_password: true };
    users.push((await call('/users', { ...account, skip_confirmation: true })).id);
  }
  const caller = users[0]!;
  const { token } = await call(`/users/${caller}/personal_access_tokens`, { name: 'bench', scopes: ['api'] });
  const groupId = await system.ports.ids.next('namespace');
  const group = { parentId: null, name: 'Bench', path: 'bench', fullPath: 'bench', description: '' };
  const data = { ...group, groupId, visibility: 'private', creatorId: 1, ownerId: 1, settings: {} };
  await system.ports.commands.append(
    `group-${groupId}`,
    'no-stream',
    [{ type: 'GroupCreated', data }],
    SYSTEM_METADATA,
  );
  await call(`/groups/${groupId}/members`, { user_id: caller, access_level: 30 });
  const projects: Seeded['projects'] = [];
  const half = Math.floor(issues / 2);
  const rest = Math.ceil((issues - half) / (PROJECTS - 1));
  let left = issues;
  for (let number = 0; number < PROJECTS; number += 1) {
    const path = `project-${number}`;
    const { id } = await call('/projects', { name: path, path, namespace_id: groupId });
    const here = Math.min(left, number === 0 ? half : rest);
    left -= here;
    projects.push({ id, issues: here });
  }
  return { users, projects, token };
}

/** Appends the events in bulk through the event store while the projections run. */
async function openIssues(
  { store, projectors }: System,
  users: readonly number[],
  projects: Seeded['projects'],
  tell: (progress: string) => void,
): Promise<void> {
  const textOf = createIssueTexts(SEED, users);
  const places = projects.flatMap(({ id, issues }) =>
    Array.from({ length: issues }, (_, at) => ({ projectId: id, iid: at + 1 })),
  );
  const total = places.length;
  // Reserve the numbers in the log, so that the product continues after them.
  const reserved = event('IdsReserved', new Date(0).toISOString(), { from: 1, to: Math.max(1, total) });
  await store.append('ids-issue', 'no-stream', [reserved]);
  const begin = performance.now();
  let next = 0;
  const hand = async () => {
    while (next < total) {
      const number = next++;
      await store.append(...opening(number + 1, places[number]!, textOf(number)));
      if ((number + 1) % TELL_EVERY === 0) {
        await projectors.caughtUp(await store.head(), { timeoutMs: 600_000 });
        const seconds = (performance.now() - begin) / 1000;
        tell(`${number + 1} of ${total} issues, ${Math.round((number + 1) / seconds)} a second`);
      }
    }
  };
  await Promise.all(Array.from({ length: HANDS }, hand));
  await projectors.caughtUp(await store.head(), { timeoutMs: 600_000 });
  tell(`${total} issues in ${Math.round((performance.now() - begin) / 1000)} s`);
}

function opening(
  issueId: number,
  { projectId, iid }: { projectId: number; iid: number },
  text: ReturnType<ReturnType<typeof createIssueTexts>>,
): Parameters<EventStore['append']> {
  const { time, ...given } = text;
  const rest = { issueType: 'issue', confidential: false, milestoneId: null, dueDate: null, weight: null };
  const data = { issueId, projectId, iid, ...given, ...rest, createdAt: null };
  return [`issue-${projectId}-${iid}`, 'no-stream', [event('IssueOpened', time, data)]];
}

function event(type: string, time: string, data: unknown): NewEvent {
  return { id: newEventId(), type, schemaVersion: 1, time, data, metadata: SYSTEM_METADATA };
}
