import type { Readable } from 'node:stream';
import { assertOid } from '../objects/object-id.ts';
import { begunStream, STREAM_MS } from '../process/command-stream.ts';
import type { RepositoryContext } from '../repository-context.ts';
import { readablePath } from '../trees/tree-path.ts';
import { entryAt } from '../trees/tree-reader.ts';

export type ArchiveFormat = 'tar' | 'tar.gz' | 'tar.bz2' | 'zip';

export interface ArchiveOptions {
  commitOid: string;
  format: ArchiveFormat;
  /** Folder that everything in the archive is in, e.g. `project-main-0123abcd`. */
  prefix: string;
  /** Only this folder or file of the commit. */
  path?: string;
  signal?: AbortSignal;
}

/** Level 1: three times faster than the default for half as many bytes again. */
const ARGUMENTS: Record<ArchiveFormat, { config?: [string, string][]; args: string[] }> = {
  tar: { args: ['--format=tar'] },
  'tar.gz': { args: ['--format=tar.gz', '-1'] },
  'tar.bz2': { args: ['--format=tar.bz2'], config: [['tar.tar.bz2.command', 'bzip2 -c']] },
  zip: { args: ['--format=zip', '-1'] },
};

/**
 * Streams the archive; undefined if the commit has no such path. A late failure destroys the stream, and a reader that
 * leaves ends git. @throws GitTimeoutError if git does not begin in time
 */
export async function archive(
  context: RepositoryContext,
  options: ArchiveOptions,
): Promise<Readable | undefined> {
  const segments = readablePath(options.path ?? '');
  if (!segments || !(await entryAt(context, options.commitOid, options.path ?? ''))) return undefined;
  const { args, config } = ARGUMENTS[options.format];
  const prefix = options.prefix.replace(/[\0\\]|\.\.+/g, '-').replace(/^\/+|\/+$/g, '');
  const command = ['archive', ...args, `--prefix=${prefix}/`, assertOid(options.commitOid), '--'];
  if (segments.length > 0) command.push(segments.join('/'));
  const run = await context.runner.start(context, command, false, {
    config,
    weight: 'heavy',
    deadlineMs: STREAM_MS,
    signal: options.signal,
  });
  return begunStream(run, command);
}
