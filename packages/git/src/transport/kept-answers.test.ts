import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createKeptAnswers, type KeptAnswers, type Question } from './kept-answers.ts';

const MOST_BYTES = 4_000_000;
const LONG = Buffer.alloc(700_000, 'a long answer ');

let folder: string;
let kept: KeptAnswers;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forgelog-kept-'));
  kept = createKeptAnswers({ folder: join(folder, 'answers'), maxBytes: MOST_BYTES });
});
afterEach(() => {
  kept.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A question whose answers the test writes itself. */
function question(key: string, { bytes = 1, owner = 'one', isGood = true } = {}) {
  const made: { output: PassThrough; signal: AbortSignal }[] = [];
  const asked: Question = {
    key,
    owner,
    bytes: async () => bytes,
    async make(signal) {
      const output = new PassThrough();
      signal.addEventListener('abort', () => output.destroy(new Error('ended')));
      made.push({ output, signal });
      return { output, isGood: async () => isGood };
    },
  };
  return { made, asked };
}

const text = async (stream: Readable | undefined) => Buffer.concat(await Array.fromAsync(stream!)).toString();

/** Asks until the answer is one that is written to a file. */
async function secondTime(asked: Question) {
  expect(await kept.read(asked)).toBeUndefined();
  return (await kept.read(asked))!;
}

test('the first time nothing is made, the second time it is kept, and from then on read', async () => {
  const { asked, made } = question('a');
  expect(await kept.read(asked)).toBeUndefined();
  expect(made).toEqual([]);
  const second = await kept.read(asked);
  made[0]!.output.end(LONG);
  expect(await text(second)).toBe(LONG.toString());
  expect(await text(await kept.read(asked))).toBe(LONG.toString());
  expect(await text(await kept.read({ ...asked }))).toBe(LONG.toString());
  expect(made.length).toBe(1);
});

test('all who come while it is made read the same one from its beginning', async () => {
  const { asked, made } = question('a');
  const first = await secondTime(asked);
  const early = await kept.read(asked);
  const { output } = made[0]!;
  output.write(LONG);
  const reading = Promise.all([text(first), text(early)]);
  await setImmediate();
  const late = text(await kept.read(asked));
  output.end('and its end');
  expect([...(await reading), await late]).toEqual(Array(3).fill(`${LONG}and its end`));
  expect(made.length).toBe(1);
});

test('who leaves takes nothing from the others', async () => {
  const { asked, made } = question('a');
  const gone = new AbortController();
  expect(await kept.read(asked)).toBeUndefined();
  const first = await kept.read({ ...asked, signal: gone.signal });
  const second = text(await kept.read(asked));
  made[0]!.output.write('begun ');
  gone.abort();
  expect(first!.destroyed).toBe(true);
  made[0]!.output.end('and ended');
  expect(await second).toBe('begun and ended');
  expect(made[0]!.signal.aborted).toBe(false);
});

test('when all have left it is ended, and made anew for the next', async () => {
  const { asked, made } = question('a');
  const first = await secondTime(asked);
  made[0]!.output.write('begun ');
  first.destroy();
  expect(made[0]!.signal.aborted).toBe(true);
  const next = await kept.read(asked);
  expect(made.length).toBe(2);
  made[1]!.output.end('whole');
  expect(await text(next)).toBe('whole');
  expect(await text(await kept.read(asked))).toBe('whole');
});

test('what breaks off fails for all who read it, and is not kept', async () => {
  const { asked, made } = question('a');
  const first = await secondTime(asked);
  const other = await kept.read(asked);
  made[0]!.output.write('half');
  made[0]!.output.destroy(new Error('git failed'));
  await expect(text(first)).rejects.toThrow('git failed');
  await expect(text(other)).rejects.toThrow('git failed');
  await kept.read(asked);
  expect(made.length).toBe(2);
});

test('an answer that says what was wrong is read and not kept', async () => {
  const { asked, made } = question('a', { isGood: false });
  const first = await secondTime(asked);
  made[0]!.output.end('ERR');
  expect(await text(first)).toBe('ERR');
  await kept.read(asked);
  expect(made.length).toBe(2);
});

test('what cannot be begun fails for who asked, and is tried again for the next', async () => {
  const { asked, made } = question('a');
  const busy = { ...asked, make: () => Promise.reject(new Error('busy')) };
  expect(await kept.read(asked)).toBeUndefined();
  await expect(kept.read(busy)).rejects.toThrow('busy');
  await kept.read(asked);
  expect(made.length).toBe(1);
});

test('who leaves before it has begun ends it', async () => {
  const { asked } = question('a');
  const gone = new AbortController();
  const waiting = Promise.withResolvers<AbortSignal>();
  const make: Question['make'] = (signal) => {
    waiting.resolve(signal);
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled'))));
  };
  expect(await kept.read(asked)).toBeUndefined();
  const reading = kept.read({ ...asked, make, signal: gone.signal });
  reading.catch(() => {});
  await waiting.promise;
  gone.abort();
  await expect(reading).rejects.toThrow('cancelled');
});

test('what is forgotten is read to its end by who reads it, and by nobody else', async () => {
  const { asked, made } = question('a');
  const other = question('b', { owner: 'two' });
  for (const one of [question('c'), other, { asked, made }]) {
    const first = text(await secondTime(one.asked));
    one.made[0]!.output.end(LONG);
    await first;
  }
  const reading = await kept.read(asked);
  const growing = question('d');
  const half = await secondTime(growing.asked);
  kept.forget('one');
  growing.made[0]!.output.end('d');
  expect(await text(half)).toBe('d');
  expect(await text(reading)).toBe(LONG.toString());
  await kept.read(growing.asked);
  await kept.read(asked);
  await kept.read(other.asked);
  expect([made.length, growing.made.length, other.made.length]).toEqual([2, 2, 1]);
});

test('files have no names, so that a kill leaves nothing', async () => {
  const answers = join(folder, 'answers');
  const { asked, made } = question('a');
  const first = await secondTime(asked);
  made[0]!.output.write(LONG);
  await setImmediate();
  expect(readdirSync(answers)).toEqual([]);
  made[0]!.output.end();
  await text(first);
  // Of a process that was killed before it could remove the name.
  kept.close();
  writeFileSync(join(answers, 'left'), '');
  kept = createKeptAnswers({ folder: answers, maxBytes: MOST_BYTES });
  await secondTime(question('b').asked);
  expect(readdirSync(answers)).toEqual([]);
});

test.each([
  ['is expected to be', MOST_BYTES / 2, 'short'],
  ['turns out', 1, Buffer.alloc(MOST_BYTES / 2)],
])('an answer that %s too long is not kept', async (_, bytes, content) => {
  const { asked, made } = question('a', { bytes });
  await kept.read(asked);
  const again = async () => {
    const stream = await kept.read(asked);
    made.at(-1)?.output.end(content);
    if (stream) expect((await text(stream)).length).toBe(content.length);
  };
  await again();
  await again();
  expect(made.length).toBe(bytes === 1 ? 2 : 0);
});

test('answers that are made take no more room together than those that are kept', async () => {
  const size = MOST_BYTES / 2 - 1;
  const questions = ['a', 'b', 'c'].map((key) => question(key, { bytes: size }));
  const streams = [];
  for (const { asked } of questions) {
    await kept.read(asked);
    streams.push(await kept.read(asked));
  }
  expect(streams.map((stream) => stream !== undefined)).toEqual([true, true, false]);
  // A slow reader keeps the room taken, also of what is not kept any more.
  kept.forget('one');
  for (const { made } of questions.slice(0, 2)) made[0]!.output.end(Buffer.alloc(size));
  await text(streams[1]);
  expect(await kept.read(questions[2]!.asked)).toBeDefined();
  const fourth = question('d', { bytes: size });
  await kept.read(fourth.asked);
  expect(await kept.read(fourth.asked)).toBeUndefined();
});

test('where there is no place for files, nothing is kept and nothing fails', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  kept = createKeptAnswers({ folder: join(file, 'answers'), maxBytes: MOST_BYTES });
  const { asked, made } = question('a');
  for (let time = 0; time < 3; time += 1) expect(await kept.read(asked)).toBeUndefined();
  expect(made).toEqual([]);
});

test('a full cache drops what was read longest ago', async () => {
  const questions = ['a', 'b', 'c', 'd'].map((key) => question(key, { bytes: 1_500_000 }));
  for (const { asked, made } of questions) {
    const first = text(await secondTime(asked));
    made[0]!.output.end(Buffer.alloc(1_500_000));
    await first;
  }
  for (const { asked } of questions.toReversed()) await kept.read(asked);
  expect(questions.map(({ made }) => made.length)).toEqual([2, 2, 1, 1]);
});
