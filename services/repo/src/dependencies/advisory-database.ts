import { type FileHandle, open, opendir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { type Advisory, type AffectedPackage, affects, readAdvisory, weightOf } from './advisory.ts';
import type { PackageManager } from './dependency.ts';
import { ECOSYSTEM_OF, packageKey } from './ecosystem.ts';

export interface Vulnerability {
  name: string;
  severity: Advisory['severity'];
}

/** What an operator's files in the format of OSV say of packages. */
export interface AdvisoryDatabase extends Worker {
  /**
   * The vulnerabilities of one package, each once; none where its version is unknown.
   * @throws unavailable while the files are read for the first time
   */
  lookup(): Promise<(asked: AskedPackage) => Vulnerability[]>;
}

export interface AskedPackage {
  manager: PackageManager;
  name: string;
  version: string | null;
}

interface Known {
  entries: { advisory: Advisory; affected: AffectedPackage }[];
  weight: number;
}

type Index = ReadonlyMap<string, Known>;

interface Bounds {
  fileBytes: number;
  files: number;
  /** Turns and versions of all advisories, and of those of one package. */
  weight: number;
  weightOfPackage: number;
  /** Folders within folders. */
  depth: number;
  /** Refused files that the log names, before it only counts them. */
  named: number;
}

const BOUNDS: Bounds = {
  fileBytes: 1024 * 1024,
  files: 1_000_000,
  weight: 4_000_000,
  weightOfPackage: 10_000,
  depth: 3,
  named: 100,
};
/** Vulnerabilities of one package. */
const MOST_FOUND = 100;
/** Files between which requests get their turn. */
const BATCH = 20;
const WAIT_MS = 10_000;
const RECHECK_MS = 60_000;

const NO_DATABASE: AdvisoryDatabase = {
  lookup: async () => () => [],
  start: async () => {},
  stop: async () => {},
};

interface Given {
  /** Undefined: nobody brought one. */
  folder: string | undefined;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  clock: () => Date;
  bounds?: Partial<Bounds>;
}

/** Files are read again once their folders change, in the background. */
export function createAdvisoryDatabase({ folder, log, clock, bounds: given = {} }: Given): AdvisoryDatabase {
  if (folder === undefined) return NO_DATABASE;
  const bounds = { ...BOUNDS, ...given };
  const stopping = new AbortController();
  let index: Index | undefined;
  let signs = '';
  let checkedAt = 0;
  let reading: Promise<void> | undefined;

  async function* filesIn(path: string, depth: number, changes: string[]): AsyncGenerator<string> {
    // Before its entries: a change meanwhile is seen by the next look.
    changes.push(`${path} ${(await stat(path)).mtimeMs}`);
    const folders: string[] = [];
    for await (const entry of await opendir(path)) {
      if (entry.name.startsWith('.')) continue;
      // Links may lead anywhere, and whatever is neither file nor folder may never end.
      if (entry.isFile() && entry.name.endsWith('.json')) yield join(path, entry.name);
      else if (entry.isDirectory()) folders.push(join(path, entry.name));
    }
    if (depth < bounds.depth) for (const one of folders.sort()) yield* filesIn(one, depth + 1, changes);
  }

  async function readAll(root: string): Promise<void> {
    const began = performance.now();
    const found = new Map<string, Known>();
    const changes: string[] = [];
    let [files, refused, weight] = [0, 0, 0];
    for await (const path of filesIn(root, 1, changes)) {
      if (files === bounds.files || weight >= bounds.weight) {
        log.error({ files, weight }, 'VULNERABILITY_DATABASE holds more than is read; the rest is left out');
        break;
      }
      files += 1;
      if (files % BATCH === 0) await turn(undefined, { signal: stopping.signal });
      try {
        const advisory = readAdvisory(await readBounded(path, bounds.fileBytes));
        if (!advisory || advisory.affected.length === 0) continue;
        for (const affected of advisory.affected) {
          const known = found.get(affected.key) ?? { entries: [], weight: 0 };
          known.weight += weightOf(affected);
          if (known.weight > bounds.weightOfPackage) throw new Error(`says too much of ${affected.key}`);
          known.entries.push({ advisory, affected });
          weight += weightOf(affected);
          found.set(affected.key, known);
        }
      } catch (error) {
        refused += 1;
        const reason = (error as Error).message.slice(0, 200);
        if (refused <= bounds.named)
          log.warn({ file: relative(root, path), reason }, 'a file of VULNERABILITY_DATABASE is left out');
      }
    }
    const idOf = ({ advisory }: Known['entries'][number]) => advisory.ids[0]!;
    for (const { entries } of found.values()) entries.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
    index = found;
    signs = changes.join('\n');
    const seconds = Math.round(performance.now() - began) / 1000;
    log.info({ files, refused, packages: found.size, seconds }, 'the vulnerability database was read');
  }

  async function hasChanged(): Promise<boolean> {
    if (signs === '') return true;
    const before = signs.split('\n').map((line) => line.slice(0, line.lastIndexOf(' ')));
    const timeOf = (path: string) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 'gone',
      );
    const now = await Promise.all(before.map(async (path) => `${path} ${await timeOf(path)}`));
    return now.join('\n') !== signs;
  }

  function refresh(root: string): void {
    checkedAt = clock().getTime();
    reading ??= (async () => {
      try {
        if (index === undefined || (await hasChanged())) await readAll(root);
      } catch (error) {
        // What was read before stays.
        if (!stopping.signal.aborted) log.error({ err: error }, 'VULNERABILITY_DATABASE cannot be read');
        signs = '';
      } finally {
        reading = undefined;
      }
    })();
  }

  function vulnerabilitiesOf(of: Index, { manager, name, version }: AskedPackage): Vulnerability[] {
    const found: Vulnerability[] = [];
    if (version === null) return found;
    // Databases have one vulnerability under several ids.
    const seen = new Set<string>();
    for (const { advisory, affected } of of.get(packageKey(ECOSYSTEM_OF[manager], name))?.entries ?? []) {
      if (advisory.ids.some((id) => seen.has(id)) || !affects(affected, version)) continue;
      for (const id of advisory.ids) seen.add(id);
      found.push({ name: advisory.name, severity: advisory.severity });
      if (found.length === MOST_FOUND) break;
    }
    return found;
  }

  return {
    async lookup() {
      if (clock().getTime() - checkedAt > RECHECK_MS) refresh(folder);
      if (index === undefined) await Promise.race([reading, sleep(WAIT_MS, undefined, { ref: false })]);
      const known = index;
      if (known === undefined)
        throw new Rejection('unavailable', { reason: 'the vulnerability database is being read' });
      return (asked) => vulnerabilitiesOf(known, asked);
    },
    async start() {
      const found = await stat(folder).catch(() => undefined);
      if (!found?.isDirectory()) throw new Error(`VULNERABILITY_DATABASE: ${folder} is no folder`);
      refresh(folder);
    },
    async stop() {
      stopping.abort();
      await reading;
    },
  };
}

/** @throws Error for a file with more bytes, also for one that grows */
async function readBounded(path: string, most: number): Promise<string> {
  let file: FileHandle | undefined;
  try {
    file = await open(path);
    const { size } = await file.stat();
    if (size > most) throw new Error(`has ${size} bytes; ${most} are read at most`);
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return bytes.toString('utf8', 0, bytesRead);
  } finally {
    await file?.close();
  }
}
