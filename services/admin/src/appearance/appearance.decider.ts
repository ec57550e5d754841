import type { AppearanceEvent } from '@forgelog/contracts/admin/appearance/appearance.events.ts';
import {
  APPEARANCE_FALLBACKS,
  type Appearance,
  type UNSHOWN_IMAGES,
  type UNSHOWN_TEXTS,
} from '@forgelog/contracts/admin/appearance/appearance-fields.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';

/** What was ever set; null before. */
export type AppearanceState = Partial<Appearance> | null;

type Unshown = (typeof UNSHOWN_TEXTS | typeof UNSHOWN_IMAGES)[number];

export interface ChangeAppearance {
  type: 'ChangeAppearance';
  /** Undefined keeps a value. */
  changes: { [Name in keyof Appearance]?: Appearance[Name] | undefined };
  /** What is given although nothing here shows it. */
  unshown: readonly Unshown[];
}

export const APPEARANCE_STREAM = 'appearance-1';

const COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

export const appearanceDecider: Decider<AppearanceState, ChangeAppearance, AppearanceEvent> = {
  initialState: null,

  decide({ changes, unshown }, state) {
    requireValid(changes, unshown);
    const change = changesFrom<Appearance>({ ...APPEARANCE_FALLBACKS, ...state }, changes);
    if (change === null) return [];
    if (state === null) return [{ type: 'AppearanceCreated', data: { appearanceId: 1, ...change.changes } }];
    return [{ type: 'AppearanceUpdated', data: { appearanceId: 1, ...change } }];
  },

  evolve(state, event) {
    switch (event.type) {
      case 'AppearanceCreated': {
        const { appearanceId: _, ...set } = event.data;
        return set;
      }
      case 'AppearanceUpdated':
        return { ...state, ...event.data.changes };
      default:
        return event satisfies never;
    }
  },
};

/** Reports all problems at once. */
function requireValid(changes: ChangeAppearance['changes'], unshown: readonly Unshown[]): void {
  const fields: Record<string, string[]> = {};
  for (const name of unshown) fields[name] = ['is not supported here'];
  for (const name of ['message_background_color', 'message_font_color'] as const)
    if (changes[name] !== undefined && !COLOR.test(changes[name]))
      fields[name] = ['must be a valid color code'];
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}
