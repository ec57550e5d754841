/** Connects the hook scripts, which write to descriptor 3 and read from 4, with the control connection. */
import type { Duplex } from 'node:stream';
import type { HookAnswer, SupervisorMessage } from './supervisor-protocol.ts';

/**
 * Forwards hook requests and returns the function that answers them. A request is lines up to an empty one. After a line
 * `proc-receive` it is the packets that git sent to that hook, up to their second flush packet; they are forwarded as
 * lines. An answer is the number of bytes to write to the hook's output and these bytes; or `ok`, or `said` (accept) or
 * `no` with message lines prefixed by `+`, and a `.`.
 */
export function attachHooks(fromHook: Duplex, toHook: Duplex, say: (message: SupervisorMessage) => void) {
  let rest: Buffer = Buffer.alloc(0);
  let lines: string[] = [];
  const end = () => {
    say({ kind: 'hook', lines });
    lines = [];
  };
  fromHook.on('data', (chunk: Buffer) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (;;) {
      const part = lines[0] === PROC_RECEIVE ? takePackets(rest) : takeLine(rest);
      if (!part) return;
      rest = rest.subarray(part.length);
      lines.push(...part.lines);
      if (part.isLast) end();
    }
  });
  fromHook.on('error', () => {});
  toHook.on('error', () => {});
  toHook.resume();
  return ({ ok, message, report }: HookAnswer) => {
    if (report !== undefined) toHook.write(`${Buffer.byteLength(report)}\n${report}`);
    else toHook.write(ok && message === '' ? 'ok\n' : `${ok ? 'said' : 'no'}\n${messageLines(message)}.\n`);
  };
}

const PROC_RECEIVE = 'proc-receive';

interface Part {
  /** In bytes. */
  length: number;
  lines: string[];
  isLast: boolean;
}

function takeLine(bytes: Buffer): Part | undefined {
  const at = bytes.indexOf(10);
  if (at < 0) return undefined;
  const line = bytes.toString('utf8', 0, at);
  return { length: at + 1, lines: line === '' ? [] : [line], isLast: line === '' };
}

/** The capabilities of the push, a flush packet, its commands, and another one (`githooks(5)`). */
function takePackets(bytes: Buffer): Part | undefined {
  const lines: string[] = [];
  let flushes = 0;
  let at = 0;
  while (flushes < 2) {
    const length =
      bytes.length < at + 4 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, at + 4), 16);
    if (Number.isNaN(length) || bytes.length < at + length) return undefined;
    const text = bytes.toString('utf8', at + 4, at + length).replace(/\n$/, '');
    if (length === 0) flushes += 1;
    else if (flushes === 0) lines.push(`capabilities ${text.slice(text.indexOf('\0') + 1)}`);
    else lines.push(`update ${text}`);
    at += Math.max(length, 4);
  }
  return { length: at, lines, isLast: true };
}

/** Strips control characters, since the message is printed on a terminal. */
function messageLines(message: string): string {
  return message
    .split('\n')
    .map((line) => `+${line.replace(/[\x00-\x1f\x7f]/g, ' ')}\n`)
    .join('');
}
