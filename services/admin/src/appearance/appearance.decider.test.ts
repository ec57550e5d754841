import type { AppearanceEvent } from '@forgelog/contracts/admin/appearance/appearance.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { appearanceDecider, type ChangeAppearance } from './appearance.decider.ts';

const change = (changes: ChangeAppearance['changes']): ChangeAppearance => ({
  ...{ type: 'ChangeAppearance', changes, unshown: [] },
});
const created: AppearanceEvent = { type: 'AppearanceCreated', data: { appearanceId: 1, title: 'Engines' } };

test('what is set is told, at first by itself and then with its old value', () => {
  given(appearanceDecider)
    .when(change({ title: 'Engines', header_message: '' }))
    .thenEvents(created);
  given(appearanceDecider, created)
    .when(change({ title: 'Engines' }))
    .thenEvents();
  given(appearanceDecider, created)
    .when(change({ title: '', message_font_color: '#fff' }))
    .thenEvents({
      type: 'AppearanceUpdated',
      data: {
        appearanceId: 1,
        changes: { title: '', message_font_color: '#fff' },
        previous: { title: 'Engines', message_font_color: '#FFFFFF' },
      },
    });
});

test('what nothing shows, and what is no colour, is refused by name', () => {
  given(appearanceDecider)
    .when({
      ...change({ message_background_color: 'red;x:url(y)' }),
      unshown: ['logo', 'new_project_guidelines'],
    })
    .thenRejected('validation_failed', {
      message: {
        logo: ['is not supported here'],
        new_project_guidelines: ['is not supported here'],
        message_background_color: ['must be a valid color code'],
      },
    });
});
