import { parse } from 'smol-toml';
import type { LockedPackage, LockfileReader } from './dependency.ts';
import { type Fields, fieldsOf, itemsOf, textOf } from './unknown-values.ts';

const packagesOf = (text: string): Fields[] => itemsOf(fieldsOf(parse(text)).package).map(fieldsOf);

function locked(entry: Fields): LockedPackage[] {
  const name = textOf(entry.name);
  const version = textOf(entry.version);
  return name && version ? [{ name, version }] : [];
}

/** `Cargo.lock`. Crates without a source are the workspace's own. */
export const cargoPackages: LockfileReader = (text) =>
  packagesOf(text).flatMap((entry) => (textOf(entry.source) ? locked(entry) : []));

/** `poetry.lock`. */
export const poetryPackages: LockfileReader = (text) => packagesOf(text).flatMap(locked);

const LOCAL = ['editable', 'virtual', 'directory'];

/** `uv.lock`, without what lies in folders of the project. */
export const uvPackages: LockfileReader = (text) =>
  packagesOf(text).flatMap((entry) => {
    const source = fieldsOf(entry.source);
    return LOCAL.some((kind) => source[kind] !== undefined) ? [] : locked(entry);
  });
