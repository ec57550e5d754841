import { BOTH, nameOf, type QuickAction } from './quick-action.ts';

const anyone = () => true;
const EMOJI = /^:([a-z0-9_+-]{1,64}):$/;

/** What is the writer's own, and asks for no right but to read. */
export const ownActions: readonly QuickAction[] = [
  ...([true, false] as const).map(
    (subscribed): QuickAction => ({
      names: [subscribed ? 'subscribe' : 'unsubscribe'],
      on: BOTH,
      onNew: false,
      may: anyone,
      apply: ({ subject }) => ({
        told: `${subscribed ? 'Subscribed to' : 'Unsubscribed from'} this ${nameOf(subject)}.`,
        done: (deeds) => deeds.subscribe(subscribed),
        changes: { subscription_event: subscribed ? 'subscribe' : 'unsubscribe' },
      }),
    }),
  ),
  {
    names: ['todo'],
    on: BOTH,
    onNew: false,
    may: anyone,
    apply: () => ({
      told: 'Added a to-do item.',
      done: (deeds) => deeds.todo(true),
      changes: { todo_event: 'add' },
    }),
  },
  {
    names: ['done'],
    on: BOTH,
    onNew: false,
    may: anyone,
    apply: () => ({
      told: 'Marked to-do item as done.',
      done: (deeds) => deeds.todo(false),
      changes: { todo_event: 'done' },
    }),
  },
  {
    names: ['award', 'react'],
    on: BOTH,
    onNew: false,
    may: anyone,
    apply(_, argument) {
      const name = EMOJI.exec(argument)?.[1];
      if (name === undefined) return null;
      return {
        told: `Toggled :${name}: emoji award.`,
        done: (deeds) => deeds.award(name),
        changes: { emoji_award: name },
      };
    },
  },
];
