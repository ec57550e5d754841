import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Position } from '@forgelog/eventing/event.ts';

/** The place of an open stream. */
export interface Seat {
  /** Everything up to here was sent or passed over. */
  position: Position;
  /** Call it before the stream hands out text, which waits while the reader takes nothing. */
  waits(): void;
  goesOn(): void;
  /** Called when the reader has taken nothing for too long. */
  onStalled: () => void;
  leave(): void;
}

export interface Subscribers {
  /** @throws Rejection 429 where there are too many */
  seat(given: Sitting): Seat;
  /** Open streams, and named subscribers that left lately. */
  positions(): SubscriberPosition[];
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

interface Taken {
  userId: number;
  seat: Seat;
  name: string | undefined;
  waitsSince: number | null;
}

/** Bounds open streams, and watches readers that take nothing: a bounded number of timers and of names. */
export function createSubscribers(given: Partial<SubscriberLimits> = {}): Subscribers {
  const limits = { ...LIMITS, ...given };
  const taken = new Set<Taken>();
  const ofUser = new Map<number, number>();
  /** Names whose subscriber has left, the longest gone first. */
  const left = new Map<string, { position: Position; at: number }>();
  let watch: NodeJS.Timeout | undefined;

  function look(): void {
    const late = performance.now() - limits.stallMs;
    for (const { waitsSince, seat } of taken) if (waitsSince !== null && waitsSince < late) seat.onStalled();
  }

  function forgetLeft(): void {
    const late = performance.now() - limits.keepNameMs;
    for (const [name, { at }] of left) if (at < late) left.delete(name);
  }

  const namesInUse = () => new Set([...taken].flatMap(({ name }) => (name === undefined ? [] : [name])));

  function nameFor(name: string | undefined): string | undefined {
    if (name === undefined) return undefined;
    forgetLeft();
    const used = namesInUse();
    if (used.has(name) || used.size < limits.names) {
      left.delete(name);
      while (used.size + left.size >= limits.names && left.size > 0) left.delete(left.keys().next().value!);
      return name;
    }
    return undefined;
  }

  return {
    seat({ userId, isAdministrator, name, position }) {
      const own = ofUser.get(userId) ?? 0;
      const [most, mostOfUser] = isAdministrator
        ? [limits.streams, limits.streamsOfUser]
        : [limits.streamsOfMembers, limits.streamsOfMember];
      if (taken.size >= most || own >= mostOfUser)
        throw new Rejection('too_many_requests', undefined, { 'Retry-After': RETRY_S });
      ofUser.set(userId, own + 1);
      watch ??= setInterval(look, limits.stallMs / 4).unref();
      const seat: Seat = {
        position,
        waits() {
          one.waitsSince = performance.now();
        },
        goesOn() {
          one.waitsSince = null;
        },
        onStalled() {},
        leave() {
          if (!taken.delete(one)) return;
          const rest = ofUser.get(userId)! - 1;
          if (rest > 0) ofUser.set(userId, rest);
          else ofUser.delete(userId);
          if (one.name !== undefined && !namesInUse().has(one.name))
            left.set(one.name, { position: seat.position, at: performance.now() });
          if (taken.size > 0) return;
          clearInterval(watch);
          watch = undefined;
        },
      };
      const one: Taken = { userId, seat, name: nameFor(name), waitsSince: null };
      taken.add(one);
      return seat;
    },
    positions() {
      forgetLeft();
      return [
        ...[...taken].map(({ name, seat }) => ({ subscriber: name, position: seat.position, isOpen: true })),
        ...[...left].map(([subscriber, { position }]) => ({ subscriber, position, isOpen: false })),
      ];
    },
  };
}
