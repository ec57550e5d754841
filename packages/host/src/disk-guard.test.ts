import { openMemoryEventStore } from '@forgelog/eventing/adapters/memory/memory-event-store.ts';
import { BEGINNING, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { EventStoreUnavailableError } from '@forgelog/eventing/event-store.ts';
import { DiskFullError, unavailability } from '@forgelog/service-kit/unavailable.ts';
import { expect, test } from 'vitest';
import { refuseWhenFull } from './disk-guard.ts';

const event = (id: string) => ({
  ...{ id, type: 'Something', schemaVersion: 1, time: '2026-01-01T00:00:00.000Z' },
  ...{ data: {}, metadata: SYSTEM_METADATA },
});

function guarded() {
  const disk = { isFull: false };
  const store = openMemoryEventStore();
  const look = () => ({ freeBytes: 0, sizeBytes: 0, isFull: disk.isFull });
  return { disk, store, guard: refuseWhenFull(store, { look }) };
}

test('nothing is appended to a full disk, and all is again when it has room', async () => {
  const { disk, guard } = guarded();
  await guard.append('a', 'no-stream', [event('1')]);
  disk.isFull = true;
  const refused = guard.append('a', 0, [event('2')]);
  await expect(refused).rejects.toBeInstanceOf(DiskFullError);
  const error: unknown = await refused.catch((reason: unknown) => reason);
  expect(unavailability(error)).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  expect(JSON.stringify(unavailability(error)!.body)).toContain('the disk is full');
  expect(await guard.readAll({ after: BEGINNING, limit: 10 })).toHaveLength(1);
  disk.isFull = false;
  await guard.append('a', 0, [event('2')]);
  expect(await guard.readAll({ after: BEGINNING, limit: 10 })).toHaveLength(2);
});

test('a failed append names the disk where that filled up meanwhile, and nothing else', async () => {
  const { disk, store } = guarded();
  const failing = (fill: boolean) =>
    refuseWhenFull(
      {
        ...store,
        append() {
          disk.isFull = fill;
          return Promise.reject(new EventStoreUnavailableError('database or disk is full'));
        },
      },
      { look: () => ({ freeBytes: 0, sizeBytes: 0, isFull: disk.isFull }) },
    ).append('a', 'no-stream', [event('1')]);
  await expect(failing(false)).rejects.not.toBeInstanceOf(DiskFullError);
  await expect(failing(true)).rejects.toBeInstanceOf(DiskFullError);
});
