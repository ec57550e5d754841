import type { CiStatus } from '@forgelog/contracts/ci/pipelines/pipeline-statuses.ts';
import { expect, test } from 'vitest';
import { compositeStatus, NO_STATUS, needsStatus, statusBit } from './composite-status.ts';

/** `failed?` is a failed job that may fail. */
function statuses(text: string): number {
  return text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ({ status: word.replace('?', '') as CiStatus, allowFailure: word.endsWith('?') }))
    .reduce((set, job) => set | statusBit(job), NO_STATUS);
}

test.each([
  ['', null],
  ['success', 'success'],
  ['success skipped', 'success'],
  ['skipped', 'skipped'],
  ['skipped manual?', 'skipped'],
  ['success failed?', 'success'],
  ['success canceled?', 'success'],
  ['success manual?', 'success'],
  ['success failed', 'failed'],
  ['failed skipped', 'failed'],
  ['canceled success skipped', 'canceled'],
  ['failed canceled', 'failed'],
  ['created', 'created'],
  ['created failed?', 'created'],
  ['pending', 'pending'],
  ['pending created', 'pending'],
  ['pending success', 'running'],
  ['running created', 'running'],
  ['success created', 'running'],
  ['success manual', 'manual'],
  ['manual created', 'manual'],
  ['success scheduled created', 'scheduled'],
  ['success waiting_for_resource created', 'waiting_for_resource'],
  ['running failed', 'running'],
  ['preparing', 'preparing'],
])('jobs that are %j together are %s', (jobs, status) => {
  expect(compositeStatus(statuses(jobs))).toBe(status);
});

test.each([
  ['', null],
  ['success', 'success'],
  ['success failed?', 'success'],
  ['success skipped', 'skipped'],
  ['success manual?', 'skipped'],
  ['success running', 'pending'],
  ['success manual', 'pending'],
  ['failed running', 'pending'],
  ['success failed', 'failed'],
  ['success canceled', 'canceled'],
])('a job whose needs are %j sees %s', (jobs, status) => {
  expect(needsStatus(statuses(jobs))).toBe(status);
});
