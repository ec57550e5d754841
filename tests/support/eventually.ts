import { setTimeout as sleep } from 'node:timers/promises';
import { withDeadline } from '@forgelog/eventing/deadline.ts';
import { TestRunner } from 'vitest';

export interface Patience<T> {
  /** Which answer ends the wait; by default any truthy one. */
  until?: (answer: T) => boolean;
  /** Milliseconds. By default what the running test has left, less a tenth of its limit. */
  deadlineMs?: number;
  everyMs?: number;
  /** What the failure tells besides, such as what a server logged last. */
  detail?: () => string;
}

/** Outside of a test, and in one without a limit. */
const DEADLINE_MS = 60_000;
/** For what is waited for after a test has used up its time. */
const LEAST_MS = 1_000;
const EVERY_MS = 20;
/** Characters of an answer: it may be all that a server printed. */
const MOST_TOLD = 2_000;

/**
 * Asks again and again, and resolves with the first answer that ends the wait.
 * @throws Error on time-out, which says what was waited for, how long, and the last answer; whatever `ask` throws
 */
export async function eventually<T>(
  what: string,
  ask: () => T | Promise<T>,
  { until = Boolean, deadlineMs = timeLeft(), everyMs = EVERY_MS, detail }: Patience<T> = {},
): Promise<T> {
  const begin = performance.now();
  const remaining = () => deadlineMs - (performance.now() - begin);
  let last = 'none';
  const late = () => {
    const seconds = (deadlineMs / 1000).toFixed(1);
    return new Error(
      [`Waited ${seconds} s in vain: ${what}. Last answer: ${last}.`, detail?.()].join('\n').trim(),
    );
  };
  for (;;) {
    // An answer that never comes counts against the deadline too.
    const answer = await withDeadline(Promise.resolve(ask()), Math.max(1, remaining()), late);
    if (until(answer)) return answer;
    last = (JSON.stringify(answer) ?? String(answer)).slice(-MOST_TOLD);
    if (remaining() <= 0) throw late();
    await sleep(everyMs);
  }
}

function timeLeft(): number {
  const test = TestRunner.getCurrentTest();
  if (!test?.timeout) return DEADLINE_MS;
  const since = test.result?.startTime ?? Date.now();
  return Math.max(LEAST_MS, since + 0.9 * test.timeout - Date.now());
}
