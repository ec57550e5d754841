import { expect, test } from 'vitest';
import type { RunnerRow } from '../runners/runners.projection.ts';
import { fits } from './fitting.ts';
import { Lanes, type QueuedJob } from './lanes.ts';

const runner = (more: Partial<RunnerRow> = {}): RunnerRow => ({
  ...{ id: 1, runnerType: 'instance_type', groupId: null, projectIds: [], tokenSha256: 'ab' },
  ...{ description: '', active: true, tags: [], runUntagged: true, locked: false },
  ...{ accessLevel: 'not_protected', maximumTimeout: null },
  ...more,
});
const job = (id: number, projectId = 7, more: Partial<QueuedJob> = {}): QueuedJob => ({
  ...{ id, projectId, iid: 1, pipelineId: projectId, tags: [], isProtected: false },
  ...more,
});
const candidates = (lanes: Lanes, asked = runner()) => [...lanes.candidates(asked)].map(({ id }) => id);

test('a runner gets jobs whose tags it has all', () => {
  const lane = { projectId: 7, tags: ['a', 'b'], isProtected: false };
  const untagged = { ...lane, tags: [] };
  expect(fits(runner({ tags: ['b', 'c', 'a'] }), lane)).toBe(true);
  expect(fits(runner({ tags: ['a'] }), lane)).toBe(false);
  expect(fits(runner({ tags: ['a'] }), untagged)).toBe(true);
  expect(fits(runner({ tags: ['a'], runUntagged: false }), untagged)).toBe(false);
});

test('a paused runner gets none, a protected one those of protected refs, one of projects theirs', () => {
  const lane = { projectId: 7, tags: [], isProtected: false };
  expect(fits(runner({ active: false }), lane)).toBe(false);
  expect(fits(runner({ accessLevel: 'ref_protected' }), lane)).toBe(false);
  expect(fits(runner({ accessLevel: 'ref_protected' }), { ...lane, isProtected: true })).toBe(true);
  expect(fits(runner({ runnerType: 'project_type', projectIds: [8] }), lane)).toBe(false);
  expect(fits(runner({ runnerType: 'project_type', projectIds: [8, 7] }), lane)).toBe(true);
});

test('the oldest job of a lane comes first, and each is taken once', () => {
  const lanes = new Lanes();
  for (const id of [3, 1, 2]) lanes.add(job(id));
  lanes.add(job(3));
  expect(candidates(lanes)).toEqual([3]);
  expect([lanes.take(3), lanes.take(3)]).toEqual([true, false]);
  expect(candidates(lanes)).toEqual([1]);
  lanes.remove(1);
  lanes.remove(99);
  expect(candidates(lanes)).toEqual([2]);
});

test('projects take turns: the one with the fewest running jobs, then the one that was served longest ago', () => {
  const lanes = new Lanes();
  for (const id of [1, 2, 3]) lanes.add(job(id, 7));
  for (const id of [11, 12, 13]) lanes.add(job(id, 8));
  const served = [];
  for (let turn = 0; turn < 6; turn++) {
    const id = candidates(lanes)[0]!;
    lanes.take(id);
    served.push(id);
  }
  expect(served).toEqual([1, 11, 2, 12, 3, 13]);
  lanes.add(job(4, 7));
  lanes.add(job(14, 8));
  lanes.began(100, 7);
  lanes.began(100, 7);
  expect(candidates(lanes)).toEqual([14, 4]);
  lanes.ended(100);
  lanes.ended(100);
  expect(candidates(lanes)).toEqual([4, 14]);
});

test('a taken job that is put back is there again', () => {
  const lanes = new Lanes();
  lanes.add(job(1));
  lanes.take(1);
  expect(lanes.size).toBe(0);
  lanes.add(job(1));
  expect(candidates(lanes)).toEqual([1]);
});

test('jobs of a deleted pipeline leave', () => {
  const lanes = new Lanes();
  lanes.add(job(1, 7));
  lanes.add(job(2, 8, { tags: ['a'] }));
  lanes.removeWhere(({ pipelineId }) => pipelineId === 7);
  expect(candidates(lanes, runner({ tags: ['a'] }))).toEqual([2]);
});
