import { setTimeout as sleep } from 'node:timers/promises';
import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { events } from '@forgelog/contracts/events.ts';
import { PROJECT_ARCHIVED } from '@forgelog/contracts/repo/projects/project.events.ts';
import { openMemoryEventStore } from '@forgelog/eventing/adapters/memory/memory-event-store.ts';
import { type CommandHandler, createCommandHandler } from '@forgelog/eventing/command-handler.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { createCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import type { EventStore, ExpectedRevision } from '@forgelog/eventing/event-store.ts';
import { expect, test } from 'vitest';
import { type BearerEvent, type BearerState, bearerDecider } from './bearer.decider.ts';
import {
  type NameHolder,
  NameTakenError,
  nameDecider,
  projectNameStream,
  routeStream,
} from './name.decider.ts';
import { createNames, GRACE_MS, holderStream, type Names } from './names.ts';

const NAMESPACE = 3;
const project = (id: number): NameHolder => ({ kind: 'project', id });
const namesOf = (name: string) => [routeStream(NAMESPACE, name), projectNameStream(NAMESPACE, name)];
const created = (projectId: number, name: string): DomainEvent => ({
  type: 'ProjectCreated',
  data: {
    ...{ projectId, namespaceId: NAMESPACE, ownerId: null, creatorId: 1, name, path: name },
    ...{
      fullPath: `top/${name}`,
      description: null,
      visibility: 'private',
      defaultBranch: null,
      settings: {},
    },
  },
});
const renamed = (projectId: number, name: string): DomainEvent => ({
  type: 'ProjectUpdated',
  data: { projectId, changes: { name, path: name }, previous: null },
});
const deleted = (projectId: number): DomainEvent => ({
  type: 'ProjectDeleted',
  data: { projectId, namespaceId: NAMESPACE, fullPath: 'top/x' },
});

function process(store: EventStore, clock: () => Date) {
  const catalogue = createCatalogue(events);
  const caughtUp = async () => {};
  const commands = createCommandHandler({ store, catalogue, clock, newId: newEventId, caughtUp });
  return { commands, names: createNames({ commands, clock }) };
}
interface Process {
  commands: CommandHandler;
  names: Names;
}

const create = ({ commands, names }: Process, id: number, name: string, before = async () => {}) =>
  names.claimed(project(id), { take: namesOf(name) }, SYSTEM_METADATA, async (at) => {
    await before();
    await append(commands, id, at, created(id, name));
  });
const rename = (
  { commands, names }: Process,
  id: number,
  from: string,
  to: string,
  before = async () => {},
) =>
  names.claimed(project(id), { take: namesOf(to), leave: namesOf(from) }, SYSTEM_METADATA, async (at) => {
    await before();
    await append(commands, id, at, renamed(id, to));
  });
/** Like the project decider: it changes nothing that is deleted, and creates nothing twice. */
const projects: Decider<BearerState, DomainEvent, BearerEvent> = {
  ...bearerDecider,
  decide(event, { status }) {
    if (status !== (event.type === 'ProjectCreated' ? 'absent' : 'present')) throw new Error('refused');
    return [event as BearerEvent];
  },
};
async function append(commands: CommandHandler, id: number, at: ExpectedRevision, event: DomainEvent) {
  await commands.handle(projects, holderStream(project(id)), event, SYSTEM_METADATA, { at });
}

const real = () => new Date();
const typesOf = async (store: EventStore) =>
  (await store.readAll({ after: '', limit: 10_000 })).map(({ type }) => type);
const bearing = async ({ commands }: Process, id: number) => {
  const { status, name } = (await commands.load(bearerDecider, holderStream(project(id)))).state;
  return status === 'present' ? name : null;
};

test('one of two creators in two processes wins, and the loser leaves nothing in the log', async () => {
  const store = openMemoryEventStore();
  const [one, other] = [process(store, real), process(store, real)];
  const results = await Promise.allSettled([create(one, 1, 'app'), create(other, 2, 'app')]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const lost = results.find((result) => result.status === 'rejected');
  expect(lost?.reason).toBeInstanceOf(NameTakenError);
  expect((await typesOf(store)).toSorted()).toEqual(['NameClaimed', 'NameClaimed', 'ProjectCreated']);
});

test('a name refused before the claim writes nothing', async () => {
  const store = openMemoryEventStore();
  const one = process(store, real);
  await create(one, 1, 'app');
  const before = await store.head();
  const mixed = [routeStream(NAMESPACE, 'other'), projectNameStream(NAMESPACE, 'app')];
  await expect(one.names.requireFree(mixed)).rejects.toMatchObject({ names: [mixed[1]] });
  await expect(one.names.requireFree(namesOf('app'))).rejects.toMatchObject({ names: namesOf('app') });
  await one.names.requireFree(namesOf('app'), project(1));
  expect(await store.head()).toBe(before);
});

test('an overtaken rename is rejected, and the new holder keeps the name', async () => {
  const store = openMemoryEventStore();
  let now = Date.now();
  const [slow, next] = [process(store, () => new Date(now)), process(store, () => new Date(now))];
  await create(slow, 1, 'old');
  const resumed = Promise.withResolvers<void>();
  const late = rename(slow, 1, 'old', 'new', () => resumed.promise);
  await expect.poll(() => typesOf(store)).toHaveLength(5);
  now += GRACE_MS + 1;
  await create(next, 2, 'new');
  resumed.resolve();
  await expect(late).rejects.toThrow(NameTakenError);
  expect([await bearing(next, 1), await bearing(next, 2)]).toEqual(['old', 'new']);
});

test('a rename releases the old name, and retries after a concurrent change', async () => {
  const store = openMemoryEventStore();
  const [one, other] = [process(store, real), process(store, real)];
  await create(one, 1, 'old');
  let changes = 0;
  await rename(one, 1, 'old', 'new', async () => {
    if (changes++ > 0) return;
    const change = { type: 'ProjectArchived', data: { projectId: 1, ...PROJECT_ARCHIVED } };
    await other.commands.append('project-1', 0, [change], SYSTEM_METADATA);
  });
  expect(changes).toBe(2);
  await create(other, 2, 'old');
  await expect(other.names.requireFree(namesOf('new'))).rejects.toThrow(NameTakenError);
});

test('a command that fails after its claim releases the name at once', async () => {
  const store = openMemoryEventStore();
  const [one, other] = [process(store, real), process(store, real)];
  const refusal = new Error('refused');
  await expect(create(one, 1, 'app', () => Promise.reject(refusal))).rejects.toBe(refusal);
  const { state } = await other.commands.load(nameDecider, routeStream(NAMESPACE, 'app'));
  expect(state.holder).toBeNull();
  const from = performance.now();
  await create(other, 2, 'app');
  expect(performance.now() - from).toBeLessThan(GRACE_MS);
});

test('what is held is held by one process at a time, and is free afterwards', async () => {
  const store = openMemoryEventStore();
  const [one, other] = [process(store, real), process(store, real)];
  await create(one, 1, 'a');
  await create(one, 2, 'b');
  const hold = [routeStream(NAMESPACE, '-')];
  let inside = 0;
  const held = ({ commands, names }: Process, id: number, name: string) =>
    names.claimed(project(id), { take: namesOf(name), hold }, SYSTEM_METADATA, async (at) => {
      expect(++inside).toBe(1);
      await sleep(30);
      inside -= 1;
      await append(commands, id, at, renamed(id, name));
    });
  await Promise.all([held(one, 1, 'c'), held(other, 2, 'd')]);
  expect([await bearing(one, 1), await bearing(one, 2)]).toEqual(['c', 'd']);
  const { state } = await other.commands.load(nameDecider, hold[0]!);
  expect(state).toMatchObject({ holder: null });
});

test('a deleted project frees its names, even without a release event', async () => {
  const store = openMemoryEventStore();
  const one = process(store, real);
  await create(one, 1, 'app');
  await one.commands.append('project-1', 0, [deleted(1)], SYSTEM_METADATA);
  const from = performance.now();
  await create(one, 2, 'app');
  expect(performance.now() - from).toBeLessThan(GRACE_MS);
});

test('a claim of an old log, without a time, protects only a name in use', async () => {
  const store = openMemoryEventStore();
  const one = process(store, real);
  const claim = (holderId: number) => ({ type: 'NameClaimed', data: { holder: 'project', holderId } });
  await one.commands.append(routeStream(NAMESPACE, 'app'), 'no-stream', [claim(1)], SYSTEM_METADATA);
  await one.commands.append('project-1', 'no-stream', [created(1, 'app')], SYSTEM_METADATA);
  await expect(create(one, 2, 'app')).rejects.toThrow(NameTakenError);
  await one.commands.append(routeStream(NAMESPACE, 'lost'), 'no-stream', [claim(9)], SYSTEM_METADATA);
  await create(one, 3, 'lost');
  await expect(create(one, 9, 'late')).rejects.toThrow('refused');
});

/** Answers late, and never once its process was killed. */
function mortal(store: EventStore, chance: () => number, lives: { appends: number }): EventStore {
  const late = () => sleep(Math.floor(chance() * 3));
  return {
    ...store,
    readStream: async (...args) => {
      await late();
      return store.readStream(...args);
    },
    append: async (...args) => {
      await late();
      if (lives.appends-- <= 0) throw new Error('killed');
      const appended = await store.append(...args);
      await late();
      if (lives.appends < 0) throw new Error('killed');
      return appended;
    },
  };
}

// This one and the next wait most of their time: for a claim to become old, and for slow processes.
test.concurrent("a killed process's claim is waited for and then taken over, and a slow process is rejected", async ({
  expect,
}) => {
  const store = openMemoryEventStore();
  const [slow, next] = [process(store, real), process(store, real)];
  const resumed = Promise.withResolvers<void>();
  const late = create(slow, 1, 'app', () => resumed.promise);
  await expect.poll(() => typesOf(store)).toHaveLength(2);
  const from = performance.now();
  await create(next, 2, 'app');
  expect(performance.now() - from).toBeGreaterThan(GRACE_MS - 100);
  resumed.resolve();
  await expect(late).rejects.toThrow(NameTakenError);
  expect([await bearing(next, 1), await bearing(next, 2)]).toEqual([null, 'app']);
});

test.concurrent('five processes with random kills and clock jumps never assign a name twice', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    let at = seed;
    const chance = () => {
      at = (at * 16_807) % 2_147_483_647;
      return at / 2_147_483_647;
    };
    const any = <T>(values: readonly T[]) => values[Math.floor(chance() * values.length)]!;
    const store = openMemoryEventStore();
    let now = Date.parse('2030-01-01T00:00:00Z');
    const leaping = () => {
      now += chance() * 2 * GRACE_MS;
      return new Date(now);
    };
    const words = ['a', 'b', 'c'];
    let last = 0;
    const live = async (process: Process) => {
      for (let turn = 0; turn < 12; turn++) {
        const id = last > 0 && chance() < 0.6 ? 1 + Math.floor(chance() * last) : ++last;
        const { state, revision } = await process.commands.load(bearerDecider, holderStream(project(id)));
        const work = async () => {
          if (revision === null) return create(process, id, any(words));
          if (state.status !== 'present') return;
          if (chance() < 0.3) return append(process.commands, id, revision, deleted(id));
          return rename(process, id, state.name, any(words));
        };
        await work().catch(() => {});
      }
    };
    await Promise.all(
      Array.from({ length: 5 }, () =>
        live(process(mortal(store, chance, { appends: 5 + Math.floor(chance() * 60) }), leaping)),
      ),
    );
    const survivor = process(store, leaping);
    const borne = new Map<string, number>();
    const drop = (id: number) => {
      for (const [word, holder] of borne) if (holder === id) borne.delete(word);
    };
    for (const { type, data, position } of await store.readAll({ after: '', limit: 100_000 })) {
      if (!type.startsWith('Project')) continue;
      const { projectId, name, changes } = data as {
        projectId: number;
        name?: string;
        changes?: { name: string };
      };
      drop(projectId);
      const word = name ?? changes?.name;
      if (word === undefined) continue;
      expect(borne.get(word), `seed ${seed}: ${word} at ${position}`).toBeUndefined();
      borne.set(word, projectId);
    }
    // Abandoned claims block no one.
    for (const word of words) if (!borne.has(word)) await create(survivor, 1000 + words.indexOf(word), word);
  }
});
