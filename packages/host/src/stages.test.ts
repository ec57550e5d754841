import { createLogger } from '@forgelog/service-kit/log.ts';
import { expect, test } from 'vitest';
import { type Stage, startStages } from './stages.ts';

const log = createLogger({ LOG_LEVEL: 'silent' });
const options = { stopMs: 50, log };

/** Stages that record their steps; `special` replaces steps of one. */
function recorded(names: readonly string[], special: Record<string, Partial<Stage>> = {}) {
  const done: string[] = [];
  const stages = names.map(
    (name): Stage => ({
      name,
      async start() {
        done.push(`start ${name}`);
        await special[name]?.start?.();
      },
      async stop() {
        done.push(`stop ${name}`);
        await special[name]?.stop?.();
      },
    }),
  );
  return { stages, done };
}

const never = () => new Promise<never>(() => {});

test('a stop runs the stages in reverse, once', async () => {
  const { stages, done } = recorded(['a', 'b', 'c']);
  const { stop } = await startStages(stages, options);
  await Promise.all([stop(), stop()]);
  expect(done).toEqual(['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a']);
});

test('a failed start stops the begun stages in reverse and throws', async () => {
  const failing = { start: () => Promise.reject(new Error('b is broken')) };
  const { stages, done } = recorded(['a', 'b', 'c'], { b: failing });
  await expect(startStages(stages, options)).rejects.toThrow('b is broken');
  expect(done).toEqual(['start a', 'start b', 'stop b', 'stop a']);
});

test('a stage that fails or hangs in its stop is skipped', async () => {
  const failing = { stop: () => Promise.reject(new Error('c is broken')) };
  const { stages, done } = recorded(['a', 'b', 'c'], { b: { stop: never }, c: failing });
  const { stop } = await startStages(stages, options);
  await stop();
  expect(done.slice(3)).toEqual(['stop c', 'stop b', 'stop a']);
});

test('an aborted start ends between two stages', async () => {
  const ending = new AbortController();
  const { stages, done } = recorded(['a', 'b'], {
    a: { start: async () => ending.abort(new Error('ended')) },
  });
  await expect(startStages(stages, { ...options, signal: ending.signal })).rejects.toThrow('ended');
  expect(done).toEqual(['start a', 'stop a']);
});
