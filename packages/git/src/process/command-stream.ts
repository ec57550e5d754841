/** A command's output as a stream whose end means success. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { GitTimeoutError } from '../errors.ts';
import { assertExit } from './git-runner.ts';
import { watchMemory } from './memory-watch.ts';
import type { RunningCommand } from './supervisor-client.ts';

/** Milliseconds that a client may take to read a stream to its end. */
export const STREAM_MS = 3_600_000;
/** Milliseconds within which git must have begun to answer. */
const BEGIN_MS = 10_000;

/**
 * Ends only after git ended well; otherwise it is destroyed with GitFailedError, GitTimeoutError, SupervisorLostError
 * or GitCancelledError, so that no cut-off answer passes for a whole one. When its reader goes away early git is
 * killed, or what `abandon` says is done.
 */
export function outputStream(
  command: RunningCommand,
  args: string[],
  codes?: number[],
  abandon: () => void = command.kill,
): Readable {
  async function* chunks() {
    // Not yield*: an error thrown in here would go on into the iterator, and destroy git's output after all.
    for await (const chunk of command.stdout.iterator({ destroyOnReturn: false })) yield chunk;
    assertExit(args, await command.exit, codes);
  }
  const stream = Readable.from(chunks(), { objectMode: false, highWaterMark: 256 * 1024 });
  stream.once('close', () => {
    if (stream.readableEnded) return;
    command.stdout.resume(); // git must not die of a closed pipe before it has cleaned up
    abandon();
  });
  return stream;
}

/** The same once git has something to say. GitTimeoutError, and no git any more, where that takes too long or too much. */
export async function begunStream(command: RunningCommand, args: string[]): Promise<Readable> {
  const memory = watchMemory(command);
  const stream = outputStream(command, args);
  const timer = setTimeout(() => stream.destroy(new GitTimeoutError()), BEGIN_MS);
  try {
    await once(stream, 'readable');
    return stream;
  } catch (error) {
    throw memory.outgrown() ? new GitTimeoutError('git took too much memory') : error;
  } finally {
    clearTimeout(timer);
  }
}
