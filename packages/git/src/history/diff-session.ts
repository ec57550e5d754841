/** A long-lived `git diff-tree --stdin`, so that a diff costs no process. */
import { randomUUID } from 'node:crypto';
import { GitFailedError } from '../errors.ts';
import { assertOid } from '../objects/object-id.ts';
import { watchMemory } from '../process/memory-watch.ts';
import type { RepositoryContext } from '../repository-context.ts';

export interface TreePair {
  from: string;
  to: string;
}
/** `output` may be partial: `complete` says whether it is not, `timedOut` that it took too long or too much memory. */
export interface PairOutput {
  output: Buffer;
  complete: boolean;
  timedOut: boolean;
}

/** Fixed options, so that no configuration changes the output. */
const COMMON = [
  'diff-tree',
  '--stdin',
  '-r',
  '-M',
  '-l1000',
  '-z',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
];
const FORMATS = {
  patch: ['--raw', '--patch', '--full-index', '--src-prefix=a/', '--dst-prefix=b/', '-U3'],
  numstat: ['--numstat'],
  raw: ['--raw', '--full-index'],
};

/** Runs git for each pair of trees, in order. Stops at the first incomplete one. It takes a core, and so a slot. */
export async function diffTrees(
  context: RepositoryContext,
  format: keyof typeof FORMATS,
  pairs: TreePair[],
  limits: { maxBytes: number; deadlineMs: number; signal?: AbortSignal },
): Promise<PairOutput[]> {
  const open = () =>
    context.runner.start(context, [...COMMON, ...FORMATS[format]], true, {
      weight: 'session',
      deadlineMs: 0,
    });
  const leave = await context.runner.acquireSlot(context, 'walk', limits.signal);
  const asked = context.sessions.with(`${context.key}\0diff-${format}`, open, async ({ command, output }) => {
    const memory = watchMemory(command);
    // git echoes a line that is not an object id: use it as an end marker.
    const mark = Buffer.from(`END-${randomUUID()}\n`);
    let timedOut = false;
    const cut = () => timedOut || memory.outgrown();
    const stop = () => command.kill();
    const timer = setTimeout(() => {
      timedOut = true;
      stop();
    }, limits.deadlineMs);
    limits.signal?.addEventListener('abort', stop, { once: true });
    try {
      for (const { from, to } of pairs) command.stdin!.write(`${assertOid(from)} ${assertOid(to)}\n${mark}`);
      const result: PairOutput[] = [];
      for (const _ of pairs) {
        const whole = await output.until(mark, limits.maxBytes);
        result.push({
          output: withoutHeader(whole ?? output.taken()),
          complete: Boolean(whole),
          timedOut: cut(),
        });
        if (whole) continue;
        if (output.ended() && !cut() && !limits.signal?.aborted) await failed(command);
        return { result, keep: false };
      }
      return { result, keep: true };
    } finally {
      memory.end();
      clearTimeout(timer);
      limits.signal?.removeEventListener('abort', stop);
    }
  });
  return asked.finally(leave);
}

async function failed(command: { exit: Promise<{ code: number | null; stderr: string }> }): Promise<never> {
  const { code, stderr } = await command.exit;
  throw new GitFailedError('diff-tree', code, stderr);
}

/** Drops the first line, which repeats the pair. */
function withoutHeader(output: Buffer): Buffer {
  return output.subarray(output.indexOf(10) + 1);
}
