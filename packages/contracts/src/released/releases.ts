import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract } from './contract.ts';

/** A version of the contract: `1.4`. A consumer of it is served by every later one with the same major number. */
export interface Release extends Contract {
  version: string;
}

/** A file names only the types that differ from the release before. */
const FILE = /^(\d+)\.(\d+)\.json$/;
const folder = import.meta.dirname;

let loaded: readonly Release[] | undefined;

/** All releases, the oldest first. */
export function releases(): readonly Release[] {
  loaded ??= load();
  return loaded;
}

function load(): Release[] {
  const files = readdirSync(folder).filter((name) => FILE.test(name));
  files.sort((one, other) => compareVersions(one.slice(0, -5), other.slice(0, -5)));
  const all: Release[] = [];
  for (const file of files) {
    const { envelope, types } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Contract;
    all.push({
      version: file.slice(0, -5),
      envelope,
      types: { ...all.at(-1)?.types, ...types },
    });
  }
  return all;
}

/** Negative where `one` is older. */
export function compareVersions(one: string, other: string): number {
  const [major = 0, minor = 0] = one.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major - otherMajor || minor - otherMinor;
}
