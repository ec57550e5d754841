import { PLAN_LIMIT_DEFAULTS } from '@forgelog/contracts/admin/plan-limits/plan-limit-values.ts';
import { getPlanLimits, updatePlanLimits } from '@forgelog/contracts/admin/plan-limits/plan-limits.api.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { planLimitsSlice } from './plan-limits.slice.ts';

const ADMIN = 1;
const ADA = 2;
const given = [userCreated(ADMIN, { admin: true }), userCreated(ADA)];

test('an administrator reads and changes limits, each by itself', async () => {
  const { call } = await startSlices([planLimitsSlice], given);
  expect((await call(getPlanLimits, {}, ADMIN)).body).toEqual(PLAN_LIMIT_DEFAULTS);
  for (const npm_max_file_size of [7, 8]) {
    const limits = { ...PLAN_LIMIT_DEFAULTS, npm_max_file_size };
    const changed = await call(updatePlanLimits, { plan_name: 'default', npm_max_file_size }, ADMIN);
    expect(changed).toMatchObject({ status: 200, body: limits });
    expect((await call(getPlanLimits, { plan_name: 'default' }, ADMIN)).body).toEqual(limits);
  }
});

test('others may not, and what is missing or wrong changes nothing', async () => {
  const { call } = await startSlices([planLimitsSlice], given);
  const limit = { npm_max_file_size: 7 };
  const answers = [await call(updatePlanLimits, { plan_name: 'default', ...limit }, ADA)];
  for (const wrong of [
    limit,
    { plan_name: 'gold', ...limit },
    { plan_name: 'default', npm_max_file_size: -1 },
  ])
    answers.push(await call(updatePlanLimits, wrong, ADMIN));
  expect(answers.map(({ status, body }) => [status, body.error ?? body.message])).toEqual([
    [403, '403 Forbidden'],
    [400, 'plan_name is missing'],
    [400, 'plan_name does not have a valid value'],
    [400, expect.stringContaining('npm_max_file_size')],
  ]);
  expect(answers.flatMap(({ events }) => events)).toEqual([]);
});
