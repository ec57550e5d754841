import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '@forgelog/git/objects/loose-object-writer.ts';
import { z } from 'zod';
import { BackupError } from './backup-error.ts';
import { ifMissing } from './data-folder-files.ts';

const FORMAT = 1;
const NAME = 'manifest.json';

const manifest = z.object({
  format: z.literal(FORMAT),
  run: z.int().min(1),
  begunAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** Null where the log is backed up by other means. */
  log: z.object({ firstId: z.string(), position: z.int().min(1) }).nullable(),
  /** The list of files and segments, beside the manifest. */
  index: z.object({ name: z.string().regex(/^index-\d+\.db$/), sha256: z.string(), size: z.int() }),
  files: z.int(),
  bytes: z.int(),
  /** How long what is gone from the data folder stays. */
  keepDays: z.int().min(0),
  settings: z.record(z.string(), z.string()),
});

/** The file whose replacement ends a run: until then the earlier backup holds. */
export type Manifest = z.infer<typeof manifest>;

/** @throws BackupError for one that is damaged, or of a later version */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, NAME), 'utf8').catch(ifMissing);
  if (text === undefined) return undefined;
  let found: z.ZodSafeParseResult<Manifest>;
  try {
    found = manifest.safeParse(JSON.parse(text));
  } catch (cause) {
    throw new BackupError(`${join(folder, NAME)} is damaged: ${(cause as Error).message}`, { cause });
  }
  if (!found.success)
    throw new BackupError(
      `${join(folder, NAME)} is damaged, or of a later version of the program: ${z.prettifyError(found.error)}`,
    );
  const { name, sha256 } = found.data.index;
  const actual = await hashOf(join(folder, name)).catch(() => undefined);
  if (actual !== sha256)
    throw new BackupError(
      `${join(folder, name)}, the list of the backup, is ${actual === undefined ? 'missing' : 'damaged'}. ` +
        'Take another backup, or begin one in an empty folder.',
    );
  return found.data;
}

export async function writeManifest(folder: string, given: Manifest): Promise<void> {
  const path = join(folder, NAME);
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(given, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  await syncFolder(folder);
}

export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}
