/** Timeouts between parts, in milliseconds. docs/operations.md lists these and those of the adapters. */
export interface Deadlines {
  /** A call of the event log, including the adapter's own timeout and retries. */
  logMs: number;
  /** From the last byte of the request to the head of the answer. */
  answerMs: number;
  /** A step of a stop: a service, the projectors, a store. Open connections have 8 s. */
  stopMs: number;
  /** A call of a service that restarts, from the first call that met its outage. */
  restartMs: number;
}

/** `answerMs` is shorter than the gateway's timeout, so that the service itself reports the delay. */
export const DEADLINES: Deadlines = { logMs: 30_000, answerMs: 110_000, stopMs: 3_000, restartMs: 15_000 };
