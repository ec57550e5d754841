import { type ErrorCode, Rejection } from '@forgelog/contracts/errors.ts';
import type { DomainEvent } from '@forgelog/contracts/event.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { expect } from 'vitest';

interface Outcome<E> {
  /** The decision is these events, and no others. */
  thenEvents(...events: E[]): void;
  /** @param body the answer's body, or a part of it */
  thenRejected(code: ErrorCode, body?: Record<string, unknown>): void;
}

/** `given(decider, ...events).when(command).thenEvents(...events)` */
export function given<State, Command, E extends DomainEvent>(
  decider: Decider<State, Command, E>,
  ...events: E[]
): { when(command: Command): Outcome<E> } {
  const state = events.reduce((state, event) => decider.evolve(state, event), decider.initialState);
  return {
    when: (command) => ({
      thenEvents: (...expected) => expect(decider.decide(command, state)).toEqual(expected),
      thenRejected(code, body) {
        let rejection: unknown;
        try {
          decider.decide(command, state);
        } catch (error) {
          rejection = error;
        }
        expect(rejection).toBeInstanceOf(Rejection);
        expect(rejection).toMatchObject({ code });
        if (body) expect((rejection as Rejection).body).toMatchObject(body);
      },
    }),
  };
}
