import type { LockedPackage, LockfileReader } from './dependency.ts';
import { entriesOf, type Fields, fieldsOf, itemsOf, textOf } from './unknown-values.ts';

const MODULES = 'node_modules/';

/** `package-lock.json` and `npm-shrinkwrap.json`: version 1 nests packages, later ones list their places. */
export const npmPackages: LockfileReader = (text) => {
  const { packages, dependencies } = fieldsOf(JSON.parse(text));
  return packages === undefined ? nestedPackages(dependencies) : placedPackages(packages);
};

function placedPackages(packages: unknown): LockedPackage[] {
  return entriesOf(packages).flatMap(([place, entry]) => {
    const at = place.lastIndexOf(MODULES);
    // Other places are the project itself and its workspaces.
    if (at < 0 || entry.link === true) return [];
    const name = textOf(entry.name) ?? place.slice(at + MODULES.length);
    return locked(name, entry.version, licensesOf(entry.license));
  });
}

function nestedPackages(dependencies: unknown): LockedPackage[] {
  const found: LockedPackage[] = [];
  const left = [dependencies];
  while (left.length > 0)
    for (const [name, entry] of entriesOf(left.pop())) {
      found.push(...locked(name, entry.version));
      if (entry.dependencies !== undefined) left.push(entry.dependencies);
    }
  return found;
}

/** `composer.lock`. */
export const composerPackages: LockfileReader = (text) => {
  const file = fieldsOf(JSON.parse(text));
  return [...itemsOf(file.packages), ...itemsOf(file['packages-dev'])]
    .map(fieldsOf)
    .flatMap(({ name, version, license }) => locked(name, version, licensesOf(license)));
};

/** `Pipfile.lock`. */
export const pipenvPackages: LockfileReader = (text) => {
  const file = fieldsOf(JSON.parse(text));
  return [file.default, file.develop]
    .flatMap(entriesOf)
    .flatMap(([name, { version }]) => locked(name, textOf(version)?.replace(/^={2,3}/, '')));
};

/** `packages.lock.json` of NuGet, by target framework. */
export const nugetPackages: LockfileReader = (text) =>
  entriesOf(fieldsOf(JSON.parse(text)).dependencies)
    .flatMap(([, framework]) => entriesOf(framework))
    .flatMap(([name, { type, resolved }]) => (type === 'Project' ? [] : locked(name, resolved)));

const CONAN = /^([^/@#%\s]+)\/([^/@#%\s]+)/;

/** `conan.lock` of Conan 1 (a graph of nodes) and 2 (lists of references). */
export const conanPackages: LockfileReader = (text) => {
  const file = fieldsOf(JSON.parse(text));
  const nodes = entriesOf(fieldsOf(file.graph_lock).nodes).map(([, { ref }]: [string, Fields]) => ref);
  const lists = [file.requires, file.build_requires, file.python_requires].flatMap(itemsOf);
  return [...nodes, ...lists].flatMap((reference) => {
    const [, name, version] = CONAN.exec(textOf(reference) ?? '') ?? [];
    return locked(name, version);
  });
};

function licensesOf(license: unknown): string[] {
  return [license].flat().flatMap((one) => textOf(one) ?? textOf(fieldsOf(one).type) ?? []);
}

function locked(name: unknown, version: unknown, licenses: readonly string[] = []): LockedPackage[] {
  const named = textOf(name);
  const pinned = textOf(version);
  return named && pinned ? [{ name: named, version: pinned, licenses }] : [];
}
