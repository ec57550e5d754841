/** A command's output as a stream whose end means success. */
import { Readable } from 'node:stream';
import type { RunningCommand } from './broker/broker-client.ts';
import { assertExit } from './git-runner.ts';

/**
 * Ends only after git ended well; otherwise it is destroyed with GitFailedError, GitTimeoutError, BrokerLostError
 * or GitCancelledError, so that no cut-off answer passes for a whole one. Destroying it ends git.
 */
export function outputStream(command: RunningCommand, args: string[], codes?: number[]): Readable {
  async function* chunks() {
    yield* command.stdout;
    assertExit(args, await command.exit, codes);
  }
  const stream = Readable.from(chunks(), { objectMode: false, highWaterMark: 256 * 1024 });
  stream.once('close', () => {
    command.stdout.destroy();
    command.kill();
  });
  return stream;
}
