/** Streams a command's output so that only success ends the stream. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { GitTimeoutError } from '../errors.ts';
import { assertExit } from './git-runner.ts';
import { watchMemory } from './memory-watch.ts';
import type { RunningCommand } from './supervisor-client.ts';

/** Milliseconds in which a client must have read the stream. */
export const STREAM_MS = 3_600_000;
/** Milliseconds until git's first output. */
const BEGIN_MS = 10_000;

/**
 * Ends only if git succeeded, so a truncated answer never looks complete. Otherwise destroys the stream with
 * GitFailedError, GitTimeoutError, SupervisorLostError or GitCancelledError. If the reader leaves early, it kills git
 * or calls `abandon`.
 */
export function outputStream(
  command: RunningCommand,
  args: string[],
  codes?: number[],
  abandon: () => void = command.kill,
): Readable {
  async function* chunks() {
    // Not yield*: it would forward an error to the iterator, which would destroy git's output.
    for await (const chunk of command.stdout.iterator({ destroyOnReturn: false })) yield chunk;
    assertExit(args, await command.exit, codes);
  }
  const stream = Readable.from(chunks(), { objectMode: false, highWaterMark: 256 * 1024 });
  stream.once('close', () => {
    if (stream.readableEnded) return;
    command.stdout.resume(); // drain it, or SIGPIPE kills git before its clean-up
    abandon();
  });
  return stream;
}

/** Resolves on the first output. @throws GitTimeoutError if git takes too long or too much memory, after killing it */
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
