/** A long-lived `git diff-tree --stdin`: a pair of trees costs no process. */
import { randomUUID } from 'node:crypto';
import { GitFailedError } from '../errors.ts';
import { assertOid } from '../objects/object-id.ts';
import { watchMemory } from '../process/memory-watch.ts';
import type { RepositoryContext } from '../repository-context.ts';

export interface TreePair {
  from: string;
  to: string;
}
/** `output` is what came; `complete` says whether that is all, `timedOut` that it took too long or too much memory. */
export interface PairOutput {
  output: Buffer;
  complete: boolean;
  timedOut: boolean;
}

/** Fixed here, since nothing of a server's or a user's configuration may change an answer. */
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

/**
 * What git says about each pair of trees, in their order. Stops at the first that is not complete. Takes a core meanwhile,
 * and so a place.
 */
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
  const leave = await context.runner.place(context, 'walk', limits.signal);
  const asked = context.sessions.with(`${context.key}\0diff-${format}`, open, async ({ command, output }) => {
    const memory = watchMemory(command);
    // A line that is no object id is repeated by git as it is: the mark after each answer.
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

/** Each answer begins with the pair that was asked for. */
function withoutHeader(output: Buffer): Buffer {
  return output.subarray(output.indexOf(10) + 1);
}
