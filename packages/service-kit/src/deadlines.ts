/** How long one part waits for another, in milliseconds. docs/operations.md has these and those of the adapters. */
export interface Deadlines {
  /** A call of the event log, beyond the adapter's own deadline and its repetitions. */
  logMs: number;
  /** The head of an answer, from the last byte of the request on. */
  answerMs: number;
  /** A step of a stop: a service, the projectors, a store. Open connections have 8 s. */
  stopMs: number;
}

/** `answerMs` is shorter than what the gateway gives a service, so that the service says itself that it is late. */
export const DEADLINES: Deadlines = { logMs: 30_000, answerMs: 110_000, stopMs: 3_000 };
