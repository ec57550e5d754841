import { expect, test, vi } from 'vitest';
import { openMemoryEventStore } from './adapters/memory/memory-event-store.ts';
import { createIdAllocator } from './id-allocator.ts';
import { catalogue } from './testing/sample-domain.ts';

test('starts at 1 and leaves no gaps without blocks', async () => {
  const store = openMemoryEventStore();
  expect(await createIdAllocator({ store, catalogue }).next('user')).toBe(1);
  const later = createIdAllocator({ store, catalogue });
  expect([await later.next('user'), await later.next('user'), await later.next('group')]).toEqual([2, 3, 1]);
});

test('concurrent allocators never repeat an id', async () => {
  const store = openMemoryEventStore();
  const allocators = [5, 3, 1].map((issue) => createIdAllocator({ store, catalogue, blockSizes: { issue } }));
  const ids = await Promise.all(
    Array.from({ length: 300 }, (_, index) => allocators[index % 3]?.next('issue') as Promise<number>),
  );
  expect(new Set(ids).size).toBe(300);
  expect(Math.min(...ids)).toBe(1);
});

test('concurrent callers share one reservation', async () => {
  const store = openMemoryEventStore();
  const append = vi.spyOn(store, 'append');
  const allocator = createIdAllocator({ store, catalogue, blockSizes: { issue: 100 } });
  const ids = await Promise.all(Array.from({ length: 100 }, () => allocator.next('issue')));
  expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  expect(append).toHaveBeenCalledTimes(1);
});

test('many ids take one reservation, after what is left of the last one', async () => {
  const store = openMemoryEventStore();
  const allocator = createIdAllocator({ store, catalogue, blockSizes: { job: 10 } });
  expect(await allocator.next('job')).toBe(1);
  const append = vi.spyOn(store, 'append');
  const ids = await allocator.many('job', 100);
  expect(ids).toEqual(Array.from({ length: 100 }, (_, index) => index + 2));
  expect(append).toHaveBeenCalledTimes(1);
  expect(await allocator.many('job', 0)).toEqual([]);
  const [one, other] = await Promise.all([allocator.many('job', 30), allocator.many('job', 30)]);
  expect(new Set([...one, ...other]).size).toBe(60);
});

test('a kind is a category, which contains no dash', async () => {
  const allocator = createIdAllocator({ store: openMemoryEventStore(), catalogue });
  await expect(allocator.next('merge-request')).rejects.toThrow(RangeError);
});
