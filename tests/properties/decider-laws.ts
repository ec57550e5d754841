import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { events } from '@forgelog/contracts/events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { createCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import fc from 'fast-check';
import { expect } from 'vitest';

const catalogue = createCatalogue(events);

/**
 * What holds for every decider, whatever is asked of it and in whatever order: it answers or rejects with an error of
 * its own kind, changes nothing that it was given, its events keep their contracts, and the state depends on the
 * stored events alone. `holds` is told every state that is reached.
 */
export function checkDecider<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  command: fc.Arbitrary<Command>,
  options: {
    isRejection: (error: unknown) => boolean;
    holds?: (state: State, events: readonly Event[]) => void;
    /** Makes states comparable where they are more than plain data. */
    plain?: (state: State) => unknown;
  },
): void {
  const plain = options.plain ?? ((state: State) => state as unknown);
  let appended = 0;
  fc.assert(
    fc.property(fc.array(command, { minLength: 1, maxLength: 30 }), (commands) => {
      let state = decider.initialState;
      const log: Event[] = [];
      for (const wish of commands) {
        const before = JSON.stringify(plain(state));
        let decided: readonly Event[];
        try {
          decided = decider.decide(wish, state);
        } catch (error) {
          if (!options.isRejection(error)) throw error;
          expect(JSON.stringify(plain(state))).toBe(before);
          continue;
        }
        expect(JSON.stringify(plain(state))).toBe(before);
        expect(decider.decide(wish, state)).toEqual(decided);
        for (const event of decided) {
          const stored = JSON.parse(JSON.stringify(catalogue.parse(event.type, event.data)));
          const recorded = { type: event.type, data: stored } as Event;
          state = decider.evolve(state, recorded);
          log.push(recorded);
        }
        options.holds?.(state, log);
      }
      const replayed = log.reduce((reached, event) => decider.evolve(reached, event), decider.initialState);
      expect(plain(replayed)).toEqual(plain(state));
      appended += log.length;
    }),
    { numRuns: 400 },
  );
  // Laws that hold because nothing ever happens would say nothing.
  expect(appended).toBeGreaterThan(50);
}
