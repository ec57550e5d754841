/** Connects the hook scripts, which write to descriptor 3 and read from 4, with the control connection. */
import type { Duplex } from 'node:stream';
import { type HookAnswer, lineSplitter, type SupervisorMessage } from './supervisor-protocol.ts';

/**
 * Forwards hook requests and returns the function that answers them. A request is lines up to an empty one. An answer
 * is `ok`, or `said` (accept) or `no` with message lines prefixed by `+`, and a `.`.
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

/** Strips control characters, since the message is printed on a terminal. */
function messageLines(message: string): string {
  return message
    .split('\n')
    .map((line) => `+${line.replace(/[\x00-\x1f\x7f]/g, ' ')}\n`)
    .join('');
}
