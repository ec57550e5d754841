import { getAppearance, updateAppearance } from '@forgelog/contracts/admin/appearance/appearance.api.ts';
import { APPEARANCE_FALLBACKS } from '@forgelog/contracts/admin/appearance/appearance-fields.ts';
import { userCreated } from '@forgelog/testing/sample-events.ts';
import { startSlices } from '@forgelog/testing/start-slices.ts';
import { expect, test } from 'vitest';
import { appearanceSlice } from './appearance.slice.ts';

const ADMIN = 1;
const ADA = 2;
const given = [userCreated(ADMIN, { admin: true }), userCreated(ADA)];
const UNSHOWN = {
  ...{ logo: null, header_logo: null, favicon: null },
  ...{ new_project_guidelines: '', profile_image_guidelines: '' },
};

test('an administrator reads the appearance and changes it', async () => {
  const { call } = await startSlices([appearanceSlice], given);
  const before = await call(getAppearance, {}, ADMIN);
  expect(before.body).toEqual({ ...APPEARANCE_FALLBACKS, ...UNSHOWN });
  const wanted = { title: 'Engines', header_message: 'Rest', message_font_color: '#000' };
  const changed = await call(updateAppearance, wanted, ADMIN);
  expect(changed).toMatchObject({
    ...{ status: 200, body: { ...APPEARANCE_FALLBACKS, ...UNSHOWN, ...wanted } },
    events: [{ type: 'AppearanceCreated' }],
  });
  expect((await call(getAppearance, {}, ADMIN)).body).toEqual(changed.body);
  // What it answers can be given back.
  expect((await call(updateAppearance, changed.body, ADMIN)).events).toEqual([]);
});

test('others may not, and what is refused changes nothing', async () => {
  const { call } = await startSlices([appearanceSlice], given);
  const answers = [await call(getAppearance, {}, ADA), await call(updateAppearance, { title: 'x' }, ADA)];
  for (const wrong of [
    { title: 'x', profile_image_guidelines: 'Smile' },
    { title: 'x', message_font_color: 'white' },
    { title: 'x'.repeat(256) },
  ])
    answers.push(await call(updateAppearance, wrong, ADMIN));
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 400, 400, 400]);
  expect(answers.flatMap(({ events }) => events)).toEqual([]);
});
