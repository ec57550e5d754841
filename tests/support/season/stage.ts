import type { Calls, Reply } from '../calls.ts';
import { createRandom } from '../random.ts';

/** What a season knows of what it made; what was deleted is forgotten. */
interface Known {
  users: { id: number; token: string }[];
  groups: number[];
  projects: number[];
  issues: { project: number; iid: number; notes: number[] }[];
  environments: { project: number; id: number }[];
  periods: { project: number; id: number }[];
  runners: number[];
}

/** One of those that are known, by chance. */
type Picks = { readonly [Kind in keyof Known]: () => Known[Kind][number] };

export interface Stage {
  calls: Calls;
  random: ReturnType<typeof createRandom>;
  known: Known;
  pick: Picks;
  isHeads: () => boolean;
  /** A number of its own, for names. */
  next: () => number;
  /** `YYYY-MM-DD`, a day of the `most` that follow today. */
  dayWithin: (most: number) => string;
  /** An ISO time, a day ago. */
  yesterday: () => string;
  /** Calls as one of the users or as root. @throws where the answer is a fault of the server */
  send(method: string, path: string, json?: unknown): Promise<Reply>;
}

export type Command = (stage: Stage) => Promise<unknown>;
export type WeightedCommand = readonly [weight: number, command: Command];

export const VISIBILITIES = ['private', 'internal', 'public'] as const;

const DAY_MS = 86_400_000;

/** The id of what a call made, undefined where it was refused. */
export const madeBy = ({ status, body }: Reply): number | undefined => (status < 300 ? body.id : undefined);

/** The same choices for each seed. */
export function createStage(calls: Calls, seed: number, now: () => Date): Stage {
  const random = createRandom(seed);
  const known: Known = {
    ...{ users: [], groups: [], projects: [], issues: [], environments: [], periods: [] },
    runners: [],
  };
  let made = 0;
  const inDays = (days: number) => new Date(now().getTime() + days * DAY_MS).toISOString();
  const isHeads = () => random.below(2) === 0;
  return {
    ...{ calls, random, known, isHeads },
    pick: {
      users: () => random.pick(known.users),
      groups: () => random.pick(known.groups),
      projects: () => random.pick(known.projects),
      issues: () => random.pick(known.issues),
      environments: () => random.pick(known.environments),
      periods: () => random.pick(known.periods),
      runners: () => random.pick(known.runners),
    },
    next: () => ++made,
    dayWithin: (most) => inDays(1 + random.below(most)).slice(0, 10),
    yesterday: () => inDays(-1),
    async send(method, path, json) {
      const user = random.below(3) === 0 && known.users.length > 0 ? random.pick(known.users) : undefined;
      const reply = await calls.call(method, path, { json, token: user?.token });
      if (reply.status >= 500) throw new Error(`${method} ${path} answered ${reply.status}: ${reply.text}`);
      return reply;
    },
  };
}
