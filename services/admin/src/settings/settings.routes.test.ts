import { SETTING_NAMES } from '@forgelog/contracts/admin/settings/application-settings.ts';
import { getSettings, updateSettings } from '@forgelog/contracts/admin/settings/settings.api.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { settingsSlice } from './settings.slice.ts';

const ADMIN = 1;
const ADA = 2;
const given = [userCreated(ADMIN, { admin: true }), userCreated(ADA)];

test('an administrator reads all settings, and changes some', async () => {
  const { call } = await startSlices([settingsSlice], given, { environment: { MAX_UPLOAD_MB: '7' } });
  const { body } = await call(getSettings, {}, ADMIN);
  expect(Object.keys(body)).toEqual(
    expect.arrayContaining(['id', 'created_at', 'updated_at', ...SETTING_NAMES]),
  );
  expect(body).toMatchObject({
    ...{ id: 1, updated_at: null, default_projects_limit: 100_000, default_branch_protection: 2 },
    max_attachment_size: 7,
  });
  const wanted = {
    default_project_visibility: 'internal',
    restricted_visibility_levels: ['public'],
  } as const;
  const changed = await call(updateSettings, { ...wanted, first_day_of_week: 1 } as never, ADMIN);
  expect(changed).toMatchObject({ status: 200, body: { ...wanted, first_day_of_week: 1 } });
  expect(changed.events).toMatchObject([{ type: 'SettingsCreated', data: wanted }]);
  const { updated_at: _, created_at: __, ...all } = changed.body;
  expect((await call(getSettings, {}, ADMIN)).body).toMatchObject(all);
});

test('others may not, and what is wrong changes nothing', async () => {
  const { call } = await startSlices([settingsSlice], given);
  const answers = [await call(getSettings, {}, ADA), await call(updateSettings, {} as never, ADA)];
  for (const wrong of [{ deletion_adjourned_period: 91 }, { default_project_visibility: 'secret' }])
    answers.push(await call(updateSettings, wrong as never, ADMIN));
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 400, 400]);
  expect(answers.flatMap(({ events }) => events)).toEqual([]);
});
