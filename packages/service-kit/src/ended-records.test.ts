import { UserDeleted } from '@forgelog/contracts/admin/users/user.events.ts';
import { events } from '@forgelog/contracts/events.ts';
import { lifetimes } from '@forgelog/contracts/lifetimes.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { TrackerRecordsEnded } from '@forgelog/contracts/shared/records-ended.events.ts';
import { TodoCreated } from '@forgelog/contracts/tracker/todos/todo.events.ts';
import { todoLifetime } from '@forgelog/contracts/tracker/todos/todo.lifetime.ts';
import { openMemoryEventStore } from '@forgelog/eventing/adapters/memory/memory-event-store.ts';
import { type CommandHandler, createCommandHandler } from '@forgelog/eventing/command-handler.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import { createCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { newEventId } from '@forgelog/eventing/event-id.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { eq, not } from '@forgelog/eventing/query.ts';
import {
  type AnyCollection,
  defineCollection,
  endsWith,
  type ReadStore,
} from '@forgelog/eventing/read-store.ts';
import { applyTo, projected, recorded } from '@forgelog/eventing/testing/projecting.ts';
import { expect, test } from 'vitest';
import { tellingEndedRecords } from './ended-records.ts';

const items = defineCollection({
  name: 'items',
  key: 'id',
  fields: { id: 'integer', projectId: 'integer', userId: 'integer', text: 'text' },
  indexes: [['projectId']],
  holds: { lifetime: todoLifetime, where: not(eq('text', '')) },
  ownedBy: [
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
    endsWith(UserDeleted, ({ userId }) => eq('userId', userId)),
  ],
});

interface Item {
  type: 'TodoCreated';
  data: { todoId: number; projectId: number; userId: number; body: string };
}

const projection = defineProjection<Item>({
  name: 'some-items',
  collections: [items],
  handles: [TodoCreated.type],
  async project({ data: { todoId: id, projectId, userId, body: text } }, documents) {
    documents.put(items, { id, projectId, userId, text });
  },
});
const counts: AnyCollection = projection.collections.find(({ name }) => name === 'some_items_ended')!;

const item = (todoId: number, projectId: number, userId: number, body = 'x') => ({
  type: 'TodoCreated',
  data: { todoId, projectId, userId, body },
});
const projectDeleted = (projectId: number) => ({ type: 'ProjectDeleted', data: { projectId } });
const userDeleted = (userId: number) => ({ type: 'UserDeleted', data: { userId } });

test('records that end by rule are counted, also if the event is applied again', async () => {
  const given = [item(1, 7, 1), item(2, 7, 2), item(3, 8, 2), item(4, 7, 1, '')];
  const log = [...given, projectDeleted(7), userDeleted(2), projectDeleted(9)];
  const { all } = await projected(
    projection,
    log.map((event, at) => recorded(at + 1, event)),
  );
  expect(await all(items)).toEqual([]);
  expect((await all(counts)).map(({ kind, count }) => [kind, count])).toEqual([
    ['Todo', 2],
    ['Todo', 1],
  ]);
});

test('an event tells the counts once, by whom they ended, and clears them', async () => {
  const deleted = recorded(3, projectDeleted(7), { actorId: 5 });
  const { readStore, all } = await projected(projection, [
    recorded(1, item(1, 7, 1)),
    recorded(2, item(2, 7, 2)),
    deleted,
  ]);
  const store = openMemoryEventStore();
  const commands = createCommandHandler({
    store,
    catalogue: createCatalogue(events),
    clock: () => new Date('2030-01-01T00:00:00Z'),
    newId: newEventId,
    caughtUp: async () => {},
  });
  const service = { projections: [projection], policies: [] as Policy[] };
  const [policy] = tellingEndedRecords(service, TrackerRecordsEnded, { commands, readStore }).policies;
  expect(policy!.handles.toSorted()).toEqual([
    'GroupDeleted',
    'IssueDeleted',
    'MergeRequestDeleted',
    'ProjectDeleted',
    'UserDeleted',
  ]);
  const { signal } = new AbortController();
  await policy!.react(recorded(9, projectDeleted(9)), signal);
  await policy!.react(deleted, signal);
  await policy!.react(deleted, signal);
  const told = await store.readAll({ after: '', limit: 10 });
  expect(told).toMatchObject([
    {
      type: 'TrackerRecordsEnded',
      stream: 'trackerEnds-Project-7',
      data: { ownerKind: 'Project', ownerId: 7, projectId: 7, counts: { Todo: 2 } },
      metadata: { causationId: deleted.id },
    },
  ]);
  await applyTo(readStore, projection, [{ ...told[0]!, position: '000010' }]);
  expect(await all(counts)).toEqual([]);
});

test('whatever ends records by rule has a number by which it is told', async () => {
  const told: unknown[] = [];
  const commands = {
    handle: async (_decider: unknown, _stream: string, { data }: { data: unknown }) => void told.push(data),
  } as unknown as CommandHandler;
  const readStore = { find: async () => [{ kind: 'Todo', count: 1 }] } as unknown as ReadStore;
  const collections = [counts, ...lifetimes.map((lifetime) => ({ ...items, holds: { lifetime } }))];
  const service = { projections: [{ ...projection, collections }], policies: [] as Policy[] };
  const [policy] = tellingEndedRecords(service, TrackerRecordsEnded, { commands, readStore }).policies;
  for (const type of policy!.handles) {
    const { example } = events.find((event) => event.type === type)!;
    await policy!.react(recorded(1, { type, data: example!.data as object }), new AbortController().signal);
    expect(TrackerRecordsEnded.schema.safeParse(told.pop()).error, type).toBeUndefined();
  }
  expect(policy!.handles).toContain('NoteDeleted');
});
