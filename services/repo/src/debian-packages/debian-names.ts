import { ControlFormError } from './control-paragraph.ts';

/* Names become parts of addresses and of lines of indexes. */

const PACKAGE = /^[a-z0-9][a-z0-9+.-]{0,254}$/;
const VERSION = /^(?:\d{1,9}:)?[A-Za-z0-9][A-Za-z0-9.+~-]{0,239}$/;
const ARCHITECTURE = /^[a-z0-9][a-z0-9-]{0,63}$/;
const FILE = /^[A-Za-z0-9][A-Za-z0-9.+~_-]{0,254}$/;
const SOURCE = /^(\S+)(?:\s+\(([^()\s]+)\))?$/;

export type DebianFileKind = 'deb' | 'udeb' | 'dsc' | 'changes' | 'other';

const ENDINGS: readonly (readonly [RegExp, DebianFileKind])[] = [
  [/\.d?deb$/, 'deb'],
  [/\.udeb$/, 'udeb'],
  [/\.dsc$/, 'dsc'],
  [/\.changes$/, 'changes'],
  [/\.(?:buildinfo|diff\.gz|tar|tar\.(?:gz|bz2|lzma|xz|zst)|tar\.(?:gz|bz2|lzma|xz|zst)\.asc)$/, 'other'],
];

/** Undefined for a name that no file of a Debian package has. */
export function kindOfFile(name: string): DebianFileKind | undefined {
  if (!FILE.test(name) || name.includes('..')) return undefined;
  return ENDINGS.find(([ending]) => ending.test(name))?.[1];
}

/** @throws ControlFormError */
function requireForm(form: RegExp, what: string, text: string): string {
  if (!form.test(text) || text.includes('..')) throw new ControlFormError(`has a ${what} that is none`);
  return text;
}

export const requirePackageName = (text: string): string => requireForm(PACKAGE, 'name of a package', text);
export const requireVersion = (text: string): string => requireForm(VERSION, 'version', text);
export const requireArchitecture = (text: string): string => requireForm(ARCHITECTURE, 'architecture', text);

export interface SourceName {
  name: string;
  version: string;
}

/** The source package that a binary one says it is of, `gcc (4:12.2)`; of its own name and version where it says none. */
export function sourceOf(source: string | undefined, own: SourceName): SourceName {
  if (!source) return own;
  const [, name = '', version = own.version] = SOURCE.exec(source) ?? [];
  return { name: requirePackageName(name), version: requireVersion(version) };
}

/** The folder of a pool that packages of this name are in. */
export const poolFolder = (name: string): string =>
  /^lib./.test(name) ? name.slice(0, 4) : name.slice(0, 1);
