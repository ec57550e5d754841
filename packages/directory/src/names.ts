import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandHandler, ConflictError } from '@forgelog/eventing/command-handler.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { ExpectedRevision } from '@forgelog/eventing/event-store.ts';
import { bearerDecider, bears } from './bearer.decider.ts';
import { isSameHolder, type NameHolder, NameTakenError, nameDecider } from './name.decider.ts';

/** Name claims (ADR 5), each by its stream: `routeStream(…)`, `emailStream(…)`, `projectNameStream(…)`. */
export interface Names {
  /** Call before anything is written. @throws NameTakenError with all taken names */
  requireFree(names: readonly string[], holder?: NameHolder): Promise<void>;
  /**
   * Claims the names in `take`, runs `bear`, and releases the names in `leave`. `bear` must append to the holder's
   * stream at the given revision; it is retried after a conflict. If `bear` fails, the claims are released. If this
   * process dies, others take them over. Those in `hold` are claimed for as long as `bear` runs.
   * @throws NameTakenError, and whatever `bear` throws
   */
  claimed<T>(
    holder: NameHolder,
    names: { take: readonly string[]; leave?: readonly string[]; hold?: readonly string[] },
    metadata: EventMetadata,
    bear: (at: ExpectedRevision) => Promise<T>,
  ): Promise<T>;
}

/** Milliseconds to wait for another claim before taking it over. Safety does not depend on it. */
export const GRACE_MS = 5000;
const POLL_MS = 20;
const TRIES = 4;
/** No read depends on a claim. */
const OPTIONS = { unprojected: true };

export const holderStream = ({ kind, id }: NameHolder) => `${kind}-${id}`;

export function createNames(ports: { commands: CommandHandler; clock: () => Date }): Names {
  const { commands, clock } = ports;
  const claimOf = async (name: string) => (await commands.load(nameDecider, name)).state;
  const bearer = async (holder: NameHolder) => commands.load(bearerDecider, holderStream(holder));

  /** Another's claim to take over, or null; waits for a pending one. @throws NameTakenError if it is in use */
  async function obstacle(name: string, me: NameHolder | undefined) {
    const patience = performance.now() + GRACE_MS;
    for (;;) {
      const { holder, claims } = await claimOf(name);
      if (!holder || (me && isSameHolder(holder, me))) return null;
      const { state } = await bearer(holder);
      if (bears(state, name)) throw new NameTakenError([name]);
      const { claimedAt } = holder;
      const isOld = claimedAt === null || clock().getTime() - Date.parse(claimedAt) > GRACE_MS;
      if (state.status === 'gone' || isOld || performance.now() > patience) return { holder, claims };
      await sleep(POLL_MS);
    }
  }

  /** Prevents the holder from using names by claims made so far. */
  async function forfeit(
    holder: NameHolder,
    names: readonly string[],
    metadata: EventMetadata,
  ): Promise<void> {
    const command = { type: 'ForfeitNames' as const, holder, names };
    await commands.handle(bearerDecider, holderStream(holder), command, metadata, OPTIONS);
  }

  async function claim(name: string, holder: NameHolder, metadata: EventMetadata): Promise<number> {
    for (let tries = 1; ; tries++) {
      const found = await obstacle(name, holder);
      if (found) await forfeit(found.holder, [name], metadata);
      const over = found?.claims ?? null;
      const command = { type: 'ClaimName' as const, holder, over, claimedAt: clock().toISOString() };
      try {
        return (await commands.handle(nameDecider, name, command, metadata, OPTIONS)).state.claims;
      } catch (error) {
        // Another claim won; wait for it in turn.
        if (!(error instanceof NameTakenError || error instanceof ConflictError)) throw error;
        if (tries === TRIES) throw new NameTakenError([name]);
      }
    }
  }

  async function release(
    holder: NameHolder,
    claims: ReadonlyMap<string, number>,
    metadata: EventMetadata,
  ): Promise<void> {
    for (const [name, claim] of claims)
      await commands.handle(nameDecider, name, { type: 'ReleaseName', holder, claim }, metadata, OPTIONS);
  }

  /** A claim left behind blocks no one, because it can be taken over. */
  const whereItCan = (work: Promise<void>) => work.catch(() => {});

  return {
    async requireFree(names, holder) {
      const found = await Promise.allSettled(names.map((name) => obstacle(name, holder)));
      const failures = found.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
      const other = failures.find((error) => !(error instanceof NameTakenError));
      if (other !== undefined) throw other;
      if (failures.length > 0)
        throw new NameTakenError(failures.flatMap((error) => (error as NameTakenError).names));
    },

    async claimed(holder, { take, leave = [], hold = [] }, metadata, bear) {
      const stream = holderStream(holder);
      const held = new Map<string, number>();
      let isBearing = false;
      for (let tries = 1; ; tries++) {
        // Read this before claiming: a takeover changes this stream, so `bear` then fails.
        const { revision } = await bearer(holder);
        try {
          const left = new Map<string, number>();
          for (const name of leave) if (!take.includes(name)) left.set(name, (await claimOf(name)).claims);
          // Sorted, so that two claims of the same names cannot deadlock.
          for (const name of [...take, ...hold].toSorted())
            held.set(name, await claim(name, holder, metadata));
          isBearing = true;
          const result = await bear(revision ?? 'no-stream');
          for (const name of hold) left.set(name, held.get(name)!);
          await whereItCan(release(holder, left, metadata));
          return result;
        } catch (error) {
          const isConflict = error instanceof ConflictError && error.stream === stream;
          if (isConflict && revision !== null && tries < TRIES) continue;
          // A stream that does not exist yet has no other command in flight.
          const isInFlight = isBearing || revision !== null;
          const undo = async () => {
            if (isInFlight && held.size > 0) await forfeit(holder, [...held.keys()], metadata);
            await release(holder, held, metadata);
          };
          await whereItCan(undo());
          if (isConflict && revision === null && (await bearer(holder)).state.status === 'gone')
            throw new NameTakenError(take);
          throw error;
        }
      }
    },
  };
}
