import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { ROOT_TOKEN } from './calls.ts';
import { PROGRAM_ENVIRONMENT } from './server-process.ts';

const main = resolve(import.meta.dirname, '../../packages/replica/src/main.ts');

/** The replica as a process of its own, as people run it. */
export interface ReplicaProcess {
  /** Everything it has printed. */
  output(): string;
  /** Exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

export function startReplica(...args: readonly string[]): ReplicaProcess {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...PROGRAM_ENVIRONMENT, FORGELOG_TOKEN: ROOT_TOKEN },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = once(child, 'close').then(([code, signal]) => (signal ?? code) as number | NodeJS.Signals);
  return {
    output: () => output,
    ended,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}
