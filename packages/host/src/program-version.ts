import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { API_VERSION } from '@forgelog/contracts/shared/api-version.ts';
import { programRevision } from './revision.ts';

const manifest = resolve(import.meta.dirname, '../../../package.json');

export const programVersion = (): string =>
  (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;

/** Prints which version this is if `--version` asks for it. Returns whether it did: then nothing is to be started. */
export async function toldVersion(given: readonly string[] = process.argv): Promise<boolean> {
  if (!given.includes('--version')) return false;
  process.stdout.write(
    `Forgelog ${programVersion()}, revision ${await programRevision()}, API ${API_VERSION}\n`,
  );
  return true;
}
