import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contract, differs } from './contract.ts';

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
  return unfolded(
    files.map((file) => ({
      version: file.slice(0, -'.json'.length),
      ...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Contract),
    })),
  );
}

/** Whole releases of those that name only what differs from the one before. */
export function unfolded(files: readonly Release[]): Release[] {
  const all: Release[] = [];
  for (const file of files.toSorted((one, other) => compareVersions(one.version, other.version)))
    all.push({ ...file, types: { ...all.at(-1)?.types, ...file.types } });
  return all;
}

/** A contract as the file of its release. */
export function folded({ envelope, types }: Contract, last: Contract | undefined): Contract {
  const differing = Object.entries(types).filter(([type, now]) => differs(last?.types[type], now));
  return { envelope, types: Object.fromEntries(differing) };
}

/** Negative where `one` is older. */
export function compareVersions(one: string, other: string): number {
  const [major = 0, minor = 0] = one.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major - otherMajor || minor - otherMinor;
}
