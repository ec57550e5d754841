import { expect, test } from 'vitest';
import { reportAfter } from './push-report.ts';

const packet = (payload: string) => `${(payload.length + 4).toString(16).padStart(4, '0')}${payload}`;
const REPORT = packet('\x01001dunpack ok\n0000');
const PROGRESS = packet('\x02Resolving deltas: 100%\n');
const KEEP_ALIVE = '0005\x01';

/** Splits the output into what is sent before `followed` resolves, and after. */
async function split(said: string, size: number, message?: string): Promise<[before: string, after: string]> {
  const { promise: followed, resolve } = Promise.withResolvers<string | undefined>();
  const follow = () => resolve(message);
  let isDone = false;
  async function* output() {
    for (let at = 0; at < said.length; at += size) yield Buffer.from(said.slice(at, at + size), 'latin1');
    // Resolve only now: a generator that did not drain its input would wait forever.
    isDone = true;
    follow();
  }
  const texts = { before: '', after: '' };
  for await (const chunk of reportAfter(output(), followed))
    texts[isDone ? 'after' : 'before'] += chunk.toString('latin1');
  return [texts.before, texts.after];
}

test.each([1, 3, 7, 1000])(
  'messages pass at once and the report waits, in chunks of %i bytes',
  async (size) => {
    const messages = PROGRESS + KEEP_ALIVE + packet('\x03fatal') + PROGRESS;
    expect(await split(`${messages + REPORT + PROGRESS}0000`, size)).toEqual([
      messages,
      `${REPORT + PROGRESS}0000`,
    ]);
  },
);

test.each([1, 1000])(
  'without side-bands the whole output is the report, in chunks of %i bytes',
  async (size) => {
    const report = `${packet('unpack ok\n') + packet('ok refs/heads/main\n')}0000`;
    expect(await split(report, size)).toEqual(['', report]);
  },
);

test.each(['', '0000', '00', 'no packet at all', '0009\x02cut', PROGRESS])(
  '%j is passed on completely',
  async (said) => {
    expect((await split(said, 1)).join('')).toBe(said);
  },
);

test('a failure of git fails the answer, and no partial report looks complete', async () => {
  async function* output() {
    yield Buffer.from(PROGRESS + REPORT, 'latin1');
    throw new Error('git receive-pack failed (killed)');
  }
  let said = '';
  const reading = async () => {
    for await (const chunk of reportAfter(output(), Promise.resolve(undefined)))
      said += chunk.toString('latin1');
  };
  await expect(reading()).rejects.toThrow('killed');
  expect(said).toBe(PROGRESS);
});

test.each([1, 1000])(
  'a message to the pusher comes before the report, in chunks of %i bytes',
  async (size) => {
    const message = 'View merge request for über:\n';
    const bytes = Buffer.from(`\x02${message}`).toString('latin1');
    expect(await split(`${PROGRESS + REPORT}0000`, size, message)).toEqual([
      PROGRESS,
      `${packet(bytes) + REPORT}0000`,
    ]);
    // A client without side-bands would take it for a part of the report.
    const report = `${packet('unpack ok\n')}0000`;
    expect(await split(report, size, message)).toEqual(['', report]);
  },
);
