import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Position } from '@forgelog/eventing/event.ts';

/** The place of an open stream. */
export interface Seat {
  readonly userId: number;
  /** As it is kept for the metrics. */
  readonly name: string | undefined;
  /** Everything up to here was sent or passed over. */
  position: Position;
  /** What sits there; set it at once. */
  stream: { end(): void; drop(): void } | undefined;
  /** Call it before the stream hands out text, which waits while the reader takes nothing. */
  waits(): void;
  goesOn(): void;
  leave(): void;
}

export interface Subscribers {
  /** @throws Rejection 429 where there are too many */
  seat(given: Sitting): Seat;
  /** Open streams, and named subscribers that left lately. */
  positions(): SubscriberPosition[];
  /** Ends all streams. */
  endAll(): void;
}

interface Sitting {
  userId: number;
  /** Administrators may open more streams, and members leave room for them. */
  isAdministrator: boolean;
  name: string | undefined;
  position: Position;
}

export interface SubscriberPosition {
  subscriber: string | undefined;
  position: Position;
  isOpen: boolean;
}

export interface SubscriberLimits {
  streams: number;
  streamsOfUser: number;
  streamsOfMembers: number;
  streamsOfMember: number;
  names: number;
  /** Milliseconds. */
  stallMs: number;
  keepNameMs: number;
}

const LIMITS: SubscriberLimits = {
  streams: 5_000,
  streamsOfUser: 2_000,
  streamsOfMembers: 2_500,
  streamsOfMember: 50,
  names: 100,
  stallMs: 60_000,
  keepNameMs: 3_600_000,
};
const RETRY_S = '60';

/** A class, because there may be thousands of them and closures cost memory. */
class TakenSeat implements Seat {
  readonly userId: number;
  readonly name: string | undefined;
  position: Position;
  stream: Seat['stream'];
  waitsSince: number | null = null;
  readonly #left: (seat: TakenSeat) => void;

  constructor({ userId, position }: Sitting, name: string | undefined, left: (seat: TakenSeat) => void) {
    this.userId = userId;
    this.position = position;
    this.name = name;
    this.#left = left;
  }

  waits(): void {
    this.waitsSince = performance.now();
  }

  goesOn(): void {
    this.waitsSince = null;
  }

  leave(): void {
    this.#left(this);
  }
}

/**
 * Bounds open streams, and drops readers that take nothing: a bounded number of timers and of names.
 * @param dropped told of each seat whose reader has taken nothing for too long
 */
export function createSubscribers(
  given: Partial<SubscriberLimits> = {},
  dropped: (seat: Seat) => void = () => {},
): Subscribers {
  const limits = { ...LIMITS, ...given };
  const taken = new Set<TakenSeat>();
  const ofUser = new Map<number, number>();
  /** Names whose subscriber has left, the longest gone first. */
  const gone = new Map<string, { position: Position; at: number }>();
  let watch: NodeJS.Timeout | undefined;

  function look(): void {
    const late = performance.now() - limits.stallMs;
    for (const seat of [...taken]) {
      if (seat.waitsSince === null || seat.waitsSince >= late) continue;
      seat.stream?.drop();
      dropped(seat);
    }
  }

  function forgetLeft(): void {
    const late = performance.now() - limits.keepNameMs;
    for (const [name, { at }] of gone) if (at < late) gone.delete(name);
  }

  const namesInUse = () => new Set([...taken].flatMap(({ name }) => (name === undefined ? [] : [name])));

  function nameFor(name: string | undefined): string | undefined {
    if (name === undefined) return undefined;
    forgetLeft();
    const used = namesInUse();
    if (used.has(name) || used.size < limits.names) {
      gone.delete(name);
      while (used.size + gone.size >= limits.names && gone.size > 0) gone.delete(gone.keys().next().value!);
      return name;
    }
    return undefined;
  }

  function leave(seat: TakenSeat): void {
    if (!taken.delete(seat)) return;
    const { userId, name, position } = seat;
    const rest = ofUser.get(userId)! - 1;
    if (rest > 0) ofUser.set(userId, rest);
    else ofUser.delete(userId);
    if (name !== undefined && !namesInUse().has(name)) gone.set(name, { position, at: performance.now() });
    if (taken.size > 0) return;
    clearInterval(watch);
    watch = undefined;
  }

  return {
    seat(sitting) {
      const { userId, isAdministrator, name } = sitting;
      const own = ofUser.get(userId) ?? 0;
      const [most, mostOfUser] = isAdministrator
        ? [limits.streams, limits.streamsOfUser]
        : [limits.streamsOfMembers, limits.streamsOfMember];
      if (taken.size >= most || own >= mostOfUser)
        throw new Rejection('too_many_requests', undefined, { 'Retry-After': RETRY_S });
      ofUser.set(userId, own + 1);
      watch ??= setInterval(look, limits.stallMs / 4).unref();
      const seat = new TakenSeat(sitting, nameFor(name), leave);
      taken.add(seat);
      return seat;
    },
    endAll() {
      for (const { stream } of [...taken]) stream?.end();
    },
    positions() {
      forgetLeft();
      return [
        ...[...taken].map(({ name, position }) => ({ subscriber: name, position, isOpen: true })),
        ...[...gone].map(([subscriber, { position }]) => ({ subscriber, position, isOpen: false })),
      ];
    },
  };
}
