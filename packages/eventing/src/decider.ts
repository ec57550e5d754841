import type { DomainEvent } from '@forgelog/contracts/event.ts';

/** An aggregate as pure functions. Clock, ids, actor and git results arrive in the command. */
export interface Decider<State, Command, Event extends DomainEvent> {
  initialState: State;
  /** Returns [] when there is nothing to do. Rejects by throwing a domain error. */
  decide(command: Command, state: State): readonly Event[];
  evolve(state: State, event: Event): State;
}
