import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** Milliseconds, beyond what a start takes on a busy machine and within the time of those who wait for one. */
export const READY_MS = 100_000;

/** Never: a test knows what is in its log, and when. */
export const TOKEN_USE_MINUTES = '0';

/** Of the environment what every program gets: where programs lie, and where Node keeps what it compiled. */
export const PROGRAM_ENVIRONMENT = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  TOKEN_USE_MINUTES,
};

const main = resolve(import.meta.dirname, '../../infra/src/main.ts');

/** A server as a process of its own: what `npm start` runs, without the installation before it. */
export interface ServerProcess {
  child: ChildProcess;
  /** Everything it has printed. */
  output(): string;
  /** Its address, once it said so; undefined when it ended instead, or said nothing in time. */
  ready: Promise<string | undefined>;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/**
 * @param options.program what runs instead of the product's own main, with the same output
 * @param options.under a command before it, such as a tracer
 * @param options.isReady finds the address in what it says when it is ready
 */
export function startServerProcess(
  environment: Record<string, string>,
  {
    program = main,
    under = [],
    isReady = /is ready on (http\S+)[\s\S]*git push/,
  }: { program?: string; under?: readonly string[]; isReady?: RegExp } = {},
): ServerProcess {
  const [command, ...rest] = [...under, process.execPath, program];
  const child = spawn(command!, rest, {
    env: { ...PROGRAM_ENVIRONMENT, PORT: '0', LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const ended = once(child, 'close').then(([code, signal]) => (signal ?? code) as number | NodeJS.Signals);
  const ready = new Promise<string | undefined>((done) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const address = isReady.exec(output)?.[1];
        if (address) done(address);
      });
    }
    void ended.then(() => done(undefined));
    setTimeout(() => done(undefined), READY_MS).unref();
  });
  return {
    child,
    output: () => output,
    ready,
    ended,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}
