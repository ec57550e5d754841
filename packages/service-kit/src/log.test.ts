import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

const LOG = new URL('./log.ts', import.meta.url).href;

/** A process whose standard output is a pipe, as under a container engine. */
function startProgram(body: string) {
  const program = `const { createLogger, flushLog } = await import(${JSON.stringify(LOG)});
    const log = createLogger({ LOG_LEVEL: 'info' });
    // Makes the pipe non-blocking (EAGAIN when full), as a server's greeting does.
    process.stdout.write('');
    ${body}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return {
    child,
    errors: () => errors,
    ended: once(child, 'close').then(([code]) => code as number),
    async *entries(): AsyncGenerator<Record<string, unknown>> {
      for await (const line of createInterface(child.stdout)) yield JSON.parse(line);
    },
  };
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

test.each([
  ['exits at once', 'process.exit(3);', 3],
  ['waits for its lines', 'await flushLog(log); process.exit(0);', 0],
  ['has nothing left to do', '', 0],
  ['crashes', "throw new Error('on purpose');", 1],
])('a process that %s has written all its lines, in order', async (_, end, code) => {
  const program = startProgram(
    `for (let at = 0; at < 5000; at++) log.info({ at, text: 'ü' }, 'line'); ${end}`,
  );
  const lines = await Array.fromAsync(program.entries());
  expect(await program.ended).toBe(code);
  expect(lines.map(({ at }) => at).sort((a, b) => Number(a) - Number(b))).toEqual(numbers(5000));
  expect(lines[0]).toEqual({
    level: 30,
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    at: 0,
    text: 'ü',
    msg: 'line',
  });
});

test('each line has the time of its logging', async () => {
  const begin = Date.now();
  const program = startProgram(`
    for (let at = 0; at < 20; at++) {
      log.info({ now: new Date().toISOString() }, 'line');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }`);
  const lines = await Array.fromAsync(program.entries());
  for (const { time, now } of lines) {
    expect(Date.parse(String(time))).toBeGreaterThanOrEqual(Date.parse(String(now)));
    expect(Date.parse(String(time))).toBeGreaterThanOrEqual(begin);
  }
  expect(new Set(lines.map(({ time }) => time)).size).toBeGreaterThan(5);
});

test('an unread pipe blocks neither work nor exit', async () => {
  const program = startProgram(`
    const text = 'x'.repeat(1000);
    for (let at = 0; at < 30_000; at++) log.info({ at, text }, 'line');
    setTimeout(() => {
      process.stderr.write('works');
      process.exit(0);
    }, 300);`);
  expect([await program.ended, program.errors()]).toEqual([0, 'works']);
});

test('lines that overflow an unread pipe are dropped and later counted', async () => {
  const program = startProgram(`
    const text = 'x'.repeat(1000);
    for (let at = 0; at < 30_000; at++) log.info({ at, text }, 'line');
    process.stderr.write('full');
    process.stdin.on('data', () => process.exit(0));`);
  await expect.poll(() => program.errors()).toBe('full');
  let kept = 0;
  for await (const { msg, level, lines } of program.entries()) {
    if (msg === 'line') kept += 1;
    else {
      expect({ level, lines }).toEqual({ level: 40, lines: 30_000 - kept });
      program.child.stdin.write('end');
    }
  }
  expect(kept).toBeGreaterThan(10_000);
  expect(await program.ended).toBe(0);
});

test('a closed reader stops neither the process nor its exit', async () => {
  const program = startProgram(`
    process.stdin.on('data', () => {
      log.info('into the void');
      process.stderr.write('works');
      process.exit(0);
    });
    process.stderr.write('ready, ');`);
  await expect.poll(() => program.errors()).toBe('ready, ');
  program.child.stdout.destroy();
  program.child.stdin.write('go');
  expect([await program.ended, program.errors()]).toEqual([0, 'ready, works']);
});
