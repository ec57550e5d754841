import type { PackageManager } from './dependency.ts';

/** Names of OSV for where packages come from. */
export const ECOSYSTEMS = [
  'npm',
  'crates.io',
  'Go',
  'NuGet',
  'ConanCenter',
  'PyPI',
  'RubyGems',
  'Maven',
  'Packagist',
] as const;
export type Ecosystem = (typeof ECOSYSTEMS)[number];

export const ECOSYSTEM_OF: Readonly<Record<PackageManager, Ecosystem>> = {
  bundler: 'RubyGems',
  composer: 'Packagist',
  conan: 'ConanCenter',
  maven: 'Maven',
  npm: 'npm',
  pip: 'PyPI',
  yarn: 'npm',
  cargo: 'crates.io',
  go: 'Go',
  nuget: 'NuGet',
  pipenv: 'PyPI',
  pnpm: 'npm',
  poetry: 'PyPI',
  uv: 'PyPI',
};

/** Undefined for what no lockfile here names, such as packages of an operating system. */
export function ecosystemOf(written: string): Ecosystem | undefined {
  // `Maven:https://…` names a registry besides.
  const [name] = written.split(':');
  return ECOSYSTEMS.find((one) => one === name);
}

/** One text for all spellings of a name that mean one package. */
export function packageKey(ecosystem: Ecosystem, name: string): string {
  return `${ecosystem} ${spelt(ecosystem, name)}`;
}

function spelt(ecosystem: Ecosystem, name: string): string {
  switch (ecosystem) {
    case 'PyPI':
      return name.toLowerCase().replace(/[-_.]+/g, '-');
    case 'NuGet':
    case 'Packagist':
      return name.toLowerCase();
    case 'Maven':
      return name.replace('/', ':');
    default:
      return name;
  }
}
