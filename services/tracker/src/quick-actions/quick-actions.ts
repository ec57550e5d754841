import { contentActions } from './content-actions.ts';
import { mergeActions } from './merge-actions.ts';
import { ownActions } from './own-actions.ts';
import { peopleActions } from './people-actions.ts';
import type { QuickAction } from './quick-action.ts';
import { timeActions } from './time-actions.ts';

/** Every command by each of its names. A word that is none stays text. */
export const quickActions: ReadonlyMap<string, QuickAction> = new Map(
  [contentActions, peopleActions, timeActions, ownActions, mergeActions]
    .flat()
    .flatMap((action) => action.names.map((name) => [name, action] as const)),
);

/** What a line ends with instead of its command. */
export const lineEndings: ReadonlyMap<string, string> = new Map([
  ['shrug', '¯\\_(ツ)_/¯'],
  ['tableflip', '(╯°□°)╯︵ ┻━┻'],
]);
