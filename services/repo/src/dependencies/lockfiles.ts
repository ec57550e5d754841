import type { LockedPackage, LockfileReader, PackageManager } from './dependency.ts';
import {
  composerPackages,
  conanPackages,
  npmPackages,
  nugetPackages,
  pipenvPackages,
} from './json-lockfiles.ts';
import { bundlerPackages, goPackages, pipPackages } from './line-lockfiles.ts';
import { mavenPackages } from './maven-project.ts';
import { cargoPackages, poetryPackages, uvPackages } from './toml-lockfiles.ts';
import { pnpmPackages, yarnPackages } from './yaml-lockfiles.ts';

const READERS: Readonly<Record<PackageManager, { name: RegExp; read: LockfileReader }>> = {
  bundler: { name: /^(Gemfile|gems)\.lock(ed)?$/, read: bundlerPackages },
  composer: { name: /^composer\.lock$/, read: composerPackages },
  conan: { name: /^conan\.lock$/, read: conanPackages },
  maven: { name: /^pom\.xml$/, read: mavenPackages },
  npm: { name: /^(package-lock|npm-shrinkwrap)\.json$/, read: npmPackages },
  pip: { name: /^requirements[\w.-]*\.txt$/, read: pipPackages },
  yarn: { name: /^yarn\.lock$/, read: yarnPackages },
  cargo: { name: /^Cargo\.lock$/, read: cargoPackages },
  go: { name: /^go\.mod$/, read: goPackages },
  nuget: { name: /^packages\.lock\.json$/, read: nugetPackages },
  pipenv: { name: /^Pipfile\.lock$/, read: pipenvPackages },
  pnpm: { name: /^pnpm-lock\.yaml$/, read: pnpmPackages },
  poetry: { name: /^poetry\.lock$/, read: poetryPackages },
  uv: { name: /^uv\.lock$/, read: uvPackages },
};

/** Folders with what others wrote. */
const FOREIGN = /(^|\/)(node_modules|vendor)\//;

/** The package manager whose file it is, by its name. */
export function packageManagerOf(path: string): PackageManager | undefined {
  if (FOREIGN.test(path)) return undefined;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const found = Object.entries(READERS).find(([, reader]) => reader.name.test(name));
  return found?.[0] as PackageManager | undefined;
}

/** The packages of a lockfile, each once; none of one that is not in its form. */
export function readLockfile(manager: PackageManager, content: Uint8Array): LockedPackage[] {
  const text = Buffer.from(content)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  let found: LockedPackage[];
  try {
    found = READERS[manager].read(text);
  } catch {
    return [];
  }
  return [...new Map(found.map((one) => [JSON.stringify([one.name, one.version]), one])).values()];
}
