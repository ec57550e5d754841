import type { AppearanceEvent } from '@forgelog/contracts/admin/appearance/appearance.events.ts';
import { givenEvents } from '@forgelog/testing/given-projection.ts';
import { test } from 'vitest';
import { directoryAppearance, directoryAppearanceProjection } from './appearance.projection.ts';

test('what was set stays until it is set anew', async () => {
  const events: AppearanceEvent[] = [
    { type: 'AppearanceCreated', data: { appearanceId: 1, title: 'Engines', footer_message: 'x' } },
    {
      type: 'AppearanceUpdated',
      data: { appearanceId: 1, changes: { title: '' }, previous: { title: 'Engines' } },
    },
  ];
  await givenEvents(directoryAppearanceProjection, ...events).thenDocuments(directoryAppearance, [
    { id: 1, set: { title: '', footer_message: 'x' } },
  ]);
});
