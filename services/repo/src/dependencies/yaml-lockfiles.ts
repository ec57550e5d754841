import { parse, parseAllDocuments } from 'yaml';
import type { LockedPackage, LockfileReader } from './dependency.ts';
import { entriesOf, fieldsOf, textOf } from './unknown-values.ts';

const OPTIONS = { maxAliasCount: 0, logLevel: 'silent', uniqueKeys: false } as const;

/** `/name/1.0.0_peer` of version 5, `/name@1.0.0(peer)` of 6, `name@1.0.0` of 9. */
const PNPM = /^\/?((?:@[^/@]+\/)?[^/@]+)[@/](\d[^(_/]*)/;

/** `pnpm-lock.yaml`. Newer versions write two documents, one of them for pnpm itself. */
export const pnpmPackages: LockfileReader = (text) =>
  [parseAllDocuments(text, OPTIONS)].flat().flatMap((document) =>
    entriesOf(fieldsOf(document.toJS({ maxAliasCount: 0 })).packages).flatMap(([key, entry]) => {
      const [, name, version] = PNPM.exec(key) ?? [];
      return name && version ? [{ name, version: textOf(entry.version) ?? version }] : [];
    }),
  );

/** `yarn.lock`: YAML since Berry, a format of its own before. */
export const yarnPackages: LockfileReader = (text) =>
  /^__metadata:/m.test(text) ? berryPackages(text) : classicPackages(text);

const NPM = '@npm:';

function berryPackages(text: string): LockedPackage[] {
  return entriesOf(parse(text, OPTIONS)).flatMap(([, { resolution, version }]) => {
    const resolved = textOf(resolution);
    const at = resolved?.indexOf(NPM) ?? -1;
    return at > 0 && textOf(version) ? [{ name: resolved!.slice(0, at), version: textOf(version) }] : [];
  });
}

const CLASSIC_KEY = /^"?((?:@[^/@\s]+\/)?[^@\s"]+)@(?:npm:((?:@[^/@\s]+\/)?[^@\s"]+)@)?/;
const CLASSIC_VERSION = /^ {2}version:? "?([^"\s]+)"?$/;

function classicPackages(text: string): LockedPackage[] {
  const found: LockedPackage[] = [];
  let name: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const key = /^[^\s#]/.test(line) ? CLASSIC_KEY.exec(line) : null;
    // `a@npm:b@^1` is the package b under another name.
    if (key) name = key[2] ?? key[1];
    const version = CLASSIC_VERSION.exec(line)?.[1];
    if (!name || !version) continue;
    found.push({ name, version });
    name = undefined;
  }
  return found;
}
