import { expect, test } from 'vitest';
import type { RunnerRow } from '../runners/runners.projection.ts';
import { fits } from './fitting.ts';
import type { QueuedJob } from './lane-line.ts';
import { Lanes } from './lanes.ts';

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
const ALL = ['instance'] as const;
const added = (lanes: Lanes, one: QueuedJob) => lanes.add(one, ALL);
const next = (lanes: Lanes, asked = runner()) => lanes.next(asked)?.id;

test('a runner gets jobs whose tags it has all', () => {
  const lane = { tags: ['a', 'b'], isProtected: false };
  const untagged = { ...lane, tags: [] };
  expect(fits(runner({ tags: ['b', 'c', 'a'] }), lane)).toBe(true);
  expect(fits(runner({ tags: ['a'] }), lane)).toBe(false);
  expect(fits(runner({ tags: ['a'] }), untagged)).toBe(true);
  expect(fits(runner({ tags: ['a'], runUntagged: false }), untagged)).toBe(false);
});

test('a paused runner gets none, and a protected one those of protected refs', () => {
  const lane = { tags: [], isProtected: false };
  expect(fits(runner({ active: false }), lane)).toBe(false);
  expect(fits(runner({ accessLevel: 'ref_protected' }), lane)).toBe(false);
  expect(fits(runner({ accessLevel: 'ref_protected' }), { ...lane, isProtected: true })).toBe(true);
});

test('the oldest job of a lane comes first, and each is taken once', () => {
  const lanes = new Lanes();
  for (const id of [3, 1, 2]) added(lanes, job(id));
  added(lanes, job(3));
  expect(next(lanes)).toBe(3);
  expect([lanes.take(3), lanes.take(3)]).toEqual([true, false]);
  expect(next(lanes)).toBe(1);
  lanes.remove(1);
  lanes.remove(99);
  expect(next(lanes)).toBe(2);
  lanes.remove(2);
  expect(next(lanes)).toBeUndefined();
});

test('projects take turns: the one with the fewest running jobs, then the one that waits longest', () => {
  const lanes = new Lanes();
  for (const id of [1, 2, 3]) added(lanes, job(id, 7));
  for (const id of [11, 12, 13]) added(lanes, job(id, 8));
  const served = [];
  for (let turn = 0; turn < 6; turn++) {
    const id = next(lanes)!;
    lanes.take(id);
    served.push(id);
  }
  expect(served).toEqual([1, 11, 2, 12, 3, 13]);
  added(lanes, job(4, 7));
  added(lanes, job(14, 8));
  lanes.began(100, 7);
  expect(next(lanes)).toBe(14);
  lanes.began(101, 8);
  lanes.began(102, 8);
  expect(next(lanes)).toBe(4);
  for (const id of [100, 101, 102]) lanes.ended(id);
  expect(next(lanes)).toBe(4);
});

test('a job is taken by a runner of the place that its project is served by', () => {
  const lanes = new Lanes();
  lanes.add(job(1, 7), ['project 7', 'group 50', 'instance']);
  lanes.add(job(2, 8), ['project 8', 'group 51']);
  const ofGroup = (groupId: number) => runner({ runnerType: 'group_type', groupId });
  const ofProjects = (...projectIds: number[]) => runner({ runnerType: 'project_type', projectIds });
  expect(next(lanes)).toBe(1);
  expect([50, 51, 52].map((id) => next(lanes, ofGroup(id)))).toEqual([1, 2, undefined]);
  expect([next(lanes, ofProjects(8)), next(lanes, ofProjects(9, 8, 7)), next(lanes, ofProjects())]).toEqual([
    2,
    1,
    undefined,
  ]);
});

test('a project leaves the runners that no longer serve it, and comes to those that do', () => {
  const lanes = new Lanes();
  lanes.add(job(1, 7), ALL);
  lanes.serve(7, ['group 50']);
  lanes.serve(99, ALL);
  const ofGroup = runner({ runnerType: 'group_type', groupId: 50 });
  expect([next(lanes), next(lanes, ofGroup)]).toEqual([undefined, 1]);
  lanes.serve(7, []);
  expect(next(lanes, ofGroup)).toBeUndefined();
  lanes.serve(7, ALL);
  expect(next(lanes)).toBe(1);
});

test('of lanes with different tags the one comes first that waits longest', () => {
  const lanes = new Lanes();
  added(lanes, job(1, 7, { tags: ['a'] }));
  added(lanes, job(2, 8, { tags: ['b'], isProtected: true }));
  added(lanes, job(3, 9));
  const asked = runner({ tags: ['a', 'b'] });
  const served = [];
  for (let id = next(lanes, asked); id !== undefined; id = next(lanes, asked)) {
    lanes.take(id);
    served.push(id);
  }
  expect(served).toEqual([1, 2, 3]);
});

test('a taken job that is put back is there again', () => {
  const lanes = new Lanes();
  added(lanes, job(1));
  lanes.take(1);
  expect(lanes.size).toBe(0);
  added(lanes, job(1));
  expect(next(lanes)).toBe(1);
});

test('jobs of a deleted pipeline or project leave', () => {
  const lanes = new Lanes();
  added(lanes, job(1, 7, { pipelineId: 70 }));
  added(lanes, job(2, 7, { pipelineId: 71 }));
  added(lanes, job(3, 8, { tags: ['a'] }));
  lanes.removeAll(7, 70);
  expect(next(lanes)).toBe(2);
  lanes.removeAll(7);
  expect(next(lanes)).toBeUndefined();
  expect(next(lanes, runner({ tags: ['a'] }))).toBe(3);
});
