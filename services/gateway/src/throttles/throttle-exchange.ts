import { hash } from 'node:crypto';
import { createSharedRegister, type SharedRegisterPorts } from '../shared-register.ts';

/** The requests of one caller in one window. */
export interface Count {
  readonly key: string;
  readonly endsAt: number;
  /** May change within a window. */
  limit: number;
  asked: number;
  admitted: number;
  /** How many of the admitted ones the other gateways know of. */
  told: number;
  /** Admitted by the other gateways, as far as they told. */
  others: number;
  /** Requests that wait until the other gateways are asked. */
  readonly waiting: ((isAdmitted: boolean) => void)[];
}

/** Tells the other gateways who is near a limit, and hears it from them: ADR 111. */
export interface ThrottleExchange {
  /**
   * Undefined where a request need not wait: few were admitted since the others were told. Otherwise resolves to
   * whether it is admitted, which the exchange has counted then.
   */
  ask(count: Count): Promise<boolean> | undefined;
}

export interface ThrottleExchangePorts extends SharedRegisterPorts {
  /** A name of this gateway that no other has. */
  holder: string;
}

/** What a gateway told: when, and by digest of a caller the end of the window and what it admitted there. */
interface Told {
  at: number;
  counts: Record<string, readonly [endsAt: number, admitted: number]>;
}
type Register = Record<string, Told>;

/** How many may be admitted untold by all gateways together, as a part of the limit. */
const UNTOLD = 0.1;
/** So many are presumed before they are heard of. */
const FEWEST_GATEWAYS = 4;
/** A gateway that told nothing for so long does not count as one. */
const SILENT_MS = 60_000;
/** Between exchanges for which no request waits. */
const PAUSE_MS = 200;
const MOST_TOLD = 500;
const MOST_NEAR = 5_000;
const MOST_WAITING = 10_000;

export function createThrottleExchange(ports: ThrottleExchangePorts): ThrottleExchange {
  const { holder, now } = ports;
  /** Callers of this gateway that are near a limit, by digest. */
  const near = new Map<string, Count>();
  /** What the others admitted, by digest. */
  let heard = new Map<string, number>();
  let gateways = FEWEST_GATEWAYS;
  let begun = Number.NEGATIVE_INFINITY;
  let waiting = 0;

  function answer(count: Count, isAdmitted: boolean): void {
    if (isAdmitted) count.admitted += 1;
    waiting -= 1;
    count.waiting.shift()!(isAdmitted);
  }

  const hasRoom = ({ admitted, others, limit }: Count) => admitted + others < limit;

  /** Requests of a window that is over are admitted: they wait for no limit any more. */
  function forgetEnded(): void {
    for (const [digest, count] of near) {
      if (count.endsAt > now()) continue;
      near.delete(digest);
      while (count.waiting.length > 0) answer(count, true);
    }
  }

  function hear(register: Register): void {
    const at = now();
    heard = new Map();
    gateways = 1;
    for (const [other, told] of Object.entries(register)) {
      if (other === holder) continue;
      if (at - told.at < SILENT_MS) gateways += 1;
      for (const [digest, [endsAt, admitted]] of Object.entries(told.counts))
        if (endsAt > at) heard.set(digest, (heard.get(digest) ?? 0) + admitted);
    }
    gateways = Math.max(gateways, FEWEST_GATEWAYS);
    for (const [digest, count] of near) count.others = heard.get(digest) ?? 0;
  }

  /** Decides on those who wait. Nothing changes before the others are told. */
  const decide = () =>
    [...near].map(([digest, count]) => {
      const { admitted, others, limit, waiting } = count;
      const granted = Math.min(waiting.length, Math.max(0, limit - admitted - others));
      return { digest, count, asked: waiting.length, granted, admitted: admitted + granted };
    });

  function settle(decisions: ReturnType<typeof decide>): void {
    for (const { count, asked, granted, admitted } of decisions) {
      count.told = admitted;
      for (let at = 0; at < asked; at += 1) answer(count, at < granted);
    }
  }

  const shared = createSharedRegister(ports, {
    name: 'throttles',
    alone: 'throttles are counted by this gateway alone for now',
    begins() {
      begun = now();
    },
    merge(told) {
      const register = told === undefined ? {} : (JSON.parse(told) as Register);
      hear(register);
      forgetEnded();
      const decisions = decide();
      return {
        value: JSON.stringify({ ...lasting(register, now()), [holder]: toldBy(decisions, now()) }),
        settle: () => settle(decisions),
      };
    },
    decideAlone() {
      forgetEnded();
      for (const count of near.values()) while (count.waiting.length > 0) answer(count, hasRoom(count));
    },
  });

  /** Returns whether the caller can be followed: there may be too many. */
  function follow(count: Count): boolean {
    const digest = hash('sha256', `${count.key} ${count.endsAt}`, 'base64url').slice(0, 22);
    if (near.has(digest)) return true;
    if (near.size >= MOST_NEAR) forgetEnded();
    if (near.size >= MOST_NEAR) return false;
    near.set(digest, count);
    count.others = heard.get(digest) ?? 0;
    return true;
  }

  return {
    ask(count) {
      const at = now();
      if (shared.isAway()) return undefined;
      const step = Math.floor((count.limit * UNTOLD) / gateways);
      const untold = count.admitted + 1 - count.told;
      if (untold <= step / 2 || !follow(count)) return undefined;
      if (untold <= step) {
        if (Math.abs(at - begun) >= PAUSE_MS) void shared.tell();
        return undefined;
      }
      if (waiting >= MOST_WAITING) return Promise.resolve(false);
      waiting += 1;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      count.waiting.push(resolve);
      void shared.tell();
      return promise;
    },
  };
}

/** What others told and still counts. */
const lasting = (register: Register, at: number): Register =>
  Object.fromEntries(
    Object.entries(register)
      .map(([holder, told]): [string, Told] => [
        holder,
        {
          ...told,
          counts: Object.fromEntries(Object.entries(told.counts).filter(([, [endsAt]]) => endsAt > at)),
        },
      ])
      .filter(([, told]) => at - told.at < SILENT_MS || Object.keys(told.counts).length > 0),
  );

/** The nearest to their limits, where there are too many. */
function toldBy(decisions: readonly { digest: string; count: Count; admitted: number }[], at: number): Told {
  const share = ({ admitted, count }: (typeof decisions)[number]) => admitted / count.limit;
  const nearest =
    decisions.length > MOST_TOLD ? decisions.toSorted((a, b) => share(b) - share(a)) : decisions;
  const counts = nearest
    .slice(0, MOST_TOLD)
    .map(({ digest, count, admitted }) => [digest, [count.endsAt, admitted]]);
  return { at, counts: Object.fromEntries(counts) };
}
