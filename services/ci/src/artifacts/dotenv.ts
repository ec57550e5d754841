import { gzipMembers, UnpackedTooLargeError } from './gzip-members.ts';

/** Bounds of upstream: bytes of all files of a report, and its variables. */
export const DOTENV_LIMITS = { bytes: 5 * 1024, variables: 20, packedBytes: 64 * 1024 } as const;

const KEY = /^\w{1,255}$/;

export class DotenvError extends Error {
  override readonly name = 'DotenvError';
}

/**
 * The variables of a dotenv report, the last of equal keys. A line is `KEY=value`: there are no comments, and quotes are
 * part of the value.
 * @throws DotenvError
 */
export async function readDotenv(bytes: Buffer, format: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const text of await filesOf(bytes, format)) {
    for (const line of text.split(/\r?\n/)) {
      if (line.trim() === '') continue;
      const at = line.indexOf('=');
      const key = line.slice(0, Math.max(at, 0)).trim();
      if (at < 0) throw new DotenvError('Invalid Format');
      if (!KEY.test(key))
        throw new DotenvError("Validation failed: Key can contain only letters, digits and '_'.");
      found.set(key, line.slice(at + 1).trim());
    }
  }
  if (found.size > DOTENV_LIMITS.variables)
    throw new DotenvError(`Dotenv files cannot have more than ${DOTENV_LIMITS.variables} variables`);
  return found;
}

async function filesOf(bytes: Buffer, format: string): Promise<string[]> {
  const files: Buffer[] = [];
  try {
    const members = format === 'gzip' ? gzipMembers(bytes, DOTENV_LIMITS.bytes + 1) : [bytes];
    for await (const file of members) files.push(file);
  } catch (error) {
    throw error instanceof UnpackedTooLargeError ? tooBig() : new DotenvError('Invalid Format');
  }
  if (files.reduce((sum, { length }) => sum + length, 0) > DOTENV_LIMITS.bytes) throw tooBig();
  return files.map((file) => {
    if (file.includes(0)) throw new DotenvError('Invalid Format');
    return file.toString('utf8');
  });
}

export const tooBig = () =>
  new DotenvError(`Dotenv Artifact Too Big. Maximum Allowable Size: ${DOTENV_LIMITS.bytes}`);
