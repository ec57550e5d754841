import { expect, test, vi } from 'vitest';
import { createDiskRoom, type DiskState } from './disk-room.ts';

const MB = 1024 * 1024;

/** A disk of `sizeMb`, of which `free.mb` are free. */
function disk(sizeMb: number) {
  const free = { mb: sizeMb };
  const told: boolean[] = [];
  const changed = ({ isFull }: DiskState) => told.push(isFull);
  const read = () => {
    if (Number.isNaN(free.mb)) throw new Error('EIO');
    return { bavail: free.mb, bsize: MB, blocks: sizeMb };
  };
  const room = createDiskRoom({ folder: '/data', changed, read });
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  return {
    told,
    look(mb: number) {
      free.mb = mb;
      now += 1000;
      return room.look();
    },
    lookAgain(mb: number) {
      free.mb = mb;
      return room.look();
    },
  };
}

test('a large disk is full with less than 64 MiB free, and both changes are told once', () => {
  const { look, told } = disk(100_000);
  expect(look(64)).toEqual({ freeBytes: 64 * MB, sizeBytes: 100_000 * MB, isFull: false });
  expect(look(63).isFull).toBe(true);
  expect(look(0).isFull).toBe(true);
  expect(look(65).isFull).toBe(false);
  expect(told).toEqual([true, false]);
});

test('of a small disk a part stays free', () => {
  const { look } = disk(100);
  expect(look(3).isFull).toBe(false);
  expect(look(2).isFull).toBe(true);
});

test('the disk is measured ten times a second at most', () => {
  const { look, lookAgain } = disk(100_000);
  expect(look(1000).isFull).toBe(false);
  expect(lookAgain(0).isFull).toBe(false);
  expect(look(0).isFull).toBe(true);
});

test('a disk that cannot be measured refuses nothing', () => {
  const { look } = disk(100_000);
  expect(look(Number.NaN)).toMatchObject({ isFull: false, freeBytes: Number.NaN });
});
