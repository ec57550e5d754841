import type { LockedPackage, LockfileReader } from './dependency.ts';

const linesOf = (text: string) => text.split(/\r?\n/);

const PINNED =
  /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\]\s*)?={2,3}\s*([A-Za-z0-9][\w.!+-]*)(?=\s|;|#|\\|$)(?!\s*,)/;

/** `requirements.txt`: what is not pinned to a version names none. */
export const pipPackages: LockfileReader = (text) =>
  linesOf(text).flatMap((line) => {
    const [, name, version] = PINNED.exec(line) ?? [];
    return name && version ? [{ name, version }] : [];
  });

const GEM = /^ {4}([^\s()]+) \(([^\s()]+)\)$/;

/** `Gemfile.lock`: gems of sources and of git, not those of a path in the project. */
export const bundlerPackages: LockfileReader = (text) => {
  const found: LockedPackage[] = [];
  let isLocked = false;
  for (const line of linesOf(text)) {
    if (/^\S/.test(line)) isLocked = line === 'GEM' || line === 'GIT';
    const [, name, version] = (isLocked && GEM.exec(line)) || [];
    // What follows a hyphen is the platform.
    if (name && version) found.push({ name, version: version.split('-', 1)[0]! });
  }
  return found;
};

const BLOCK = /^(require|replace)\s*\($/;
const SINGLE = /^(require|replace)\s+(\S.*)$/;

/** `go.mod`: modules that it requires, with its replacements. A module that a local folder replaces is left out. */
export const goPackages: LockfileReader = (text) => {
  const required: LockedPackage[] = [];
  const replaced = new Map<string, LockedPackage | null>();
  let block: string | null = null;
  for (const raw of linesOf(text)) {
    const line = raw.split('//', 1)[0]!.trim();
    const opened = BLOCK.exec(line)?.[1];
    if (opened) block = opened;
    else if (line === ')') block = null;
    const [, verb, rest] = SINGLE.exec(line) ?? [];
    const directive = block ?? verb;
    const words = (block ? line : (rest ?? '')).split(/\s+/).map((word) => word.replace(/^["`]|["`]$/g, ''));
    if (opened || line === ')' || !directive) continue;
    if (directive === 'require' && words.length === 2) required.push({ name: words[0]!, version: words[1]! });
    const arrow = words.indexOf('=>');
    if (directive !== 'replace' || arrow < 1) continue;
    const [name, version] = words.slice(arrow + 1);
    const key = words.slice(0, arrow).join(' ');
    replaced.set(key, name && version ? { name, version } : null);
  }
  return required.flatMap((module) => {
    const by = [`${module.name} ${module.version}`, module.name].find((key) => replaced.has(key));
    return by === undefined ? [module] : (replaced.get(by) ?? []);
  });
};
