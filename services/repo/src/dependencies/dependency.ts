import type { PACKAGE_MANAGERS } from '@forgelog/contracts/repo/dependencies/dependency.api.ts';

export type PackageManager = (typeof PACKAGE_MANAGERS)[number];

/** A package as its lockfile names it. */
export interface LockedPackage {
  name: string;
  version: string | null;
  licenses?: readonly string[];
}

export type LockfileReader = (text: string) => LockedPackage[];
