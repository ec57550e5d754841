/** Between the hook scripts, which write to descriptor 3 and read from 4, and the control connection. */
import type { Duplex } from 'node:stream';
import { type HookAnswer, lineSplitter, type SupervisorMessage } from './supervisor-protocol.ts';

/**
 * Hands on what hooks ask and returns the function that answers them. A request is lines ended by an empty one. An
 * answer is a line `ok`, or `said` (yes) or `no` followed by the message's lines, each behind a `+`, and a `.`.
 */
export function attachHooks(fromHook: Duplex, toHook: Duplex, say: (message: SupervisorMessage) => void) {
  let lines: string[] = [];
  fromHook.on(
    'data',
    lineSplitter((line) => {
      if (line !== '') lines.push(line);
      else {
        say({ kind: 'hook', lines });
        lines = [];
      }
    }),
  );
  fromHook.on('error', () => {});
  toHook.on('error', () => {});
  toHook.resume();
  return (answer: HookAnswer) => {
    const { ok, message } = answer;
    toHook.write(ok && message === '' ? 'ok\n' : `${ok ? 'said' : 'no'}\n${messageLines(message)}.\n`);
  };
}

/** The message as its reader's terminal may see it: no control characters. */
function messageLines(message: string): string {
  return message
    .split('\n')
    .map((line) => `+${line.replace(/[\x00-\x1f\x7f]/g, ' ')}\n`)
    .join('');
}
