import { createHash, hkdfSync } from 'node:crypto';
import { desc, oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { allKeys, type InstanceKey } from '@forgelog/service-kit/instance-key.ts';
import type { PgpSigner } from '@forgelog/signatures/pgp-signing.ts';
import { LRUCache } from 'lru-cache';
import type { DebianDistributionRow } from '../debian-distributions/debian-distributions.projection.ts';
import { debianFiles } from '../packages/packages.projection.ts';
import { type DebianIndex, type DebianIndexes, printIndexes, printRelease } from './debian-indexes.ts';

/** Files that indexes of a distribution name: the newest of them. */
export const MOST_LISTED = 20_000;
/** Bytes of indexes that are kept, and of earlier ones for clients who read the release before. */
const KEPT_BYTES = 64 * 1024 * 1024;
const EARLIER_MS = 3_600_000;
const SIGNERS = 1000;
const MINUTE_MS = 60_000;
const BY_HASH = /^(.+)\/by-hash\/SHA256\/([0-9a-f]{64})$/;
const FILES = ['Packages', 'Packages.gz', 'Sources', 'Sources.gz'];

export type ReleaseFile = 'Release' | 'InRelease' | 'Release.gpg';

export type PrintedIndex = Pick<DebianIndex, 'bytes' | 'sha256'>;

export interface DebianRepository {
  /**
   * @param sources the distributions whose files are listed: itself, or those of projects for one of a group
   */
  release(
    distribution: DebianDistributionRow,
    sources: readonly number[],
    file: ReleaseFile,
  ): Promise<string>;
  index(
    distribution: DebianDistributionRow,
    sources: readonly number[],
    path: string,
  ): Promise<PrintedIndex | undefined>;
  publicKey(distribution: DebianDistributionRow): Promise<string>;
}

interface Kept {
  content: string;
  indexes: DebianIndexes;
}

export function debianRepository(ports: {
  readStore: Pick<ReadStore, 'find'>;
  instanceKey: InstanceKey;
  clock: () => Date;
}): DebianRepository {
  const { readStore, instanceKey, clock } = ports;
  const kept = new LRUCache<string, Kept>({
    ...{ maxSize: KEPT_BYTES, sizeCalculation: ({ indexes }: Kept) => sizeOf(indexes) },
  });
  const earlier = new LRUCache<string, Buffer>({
    ...{ maxSize: KEPT_BYTES, sizeCalculation: ({ length }: Buffer) => length + 1, ttl: EARLIER_MS },
  });
  const underway = new Map<string, Promise<Kept>>();
  const signers = new LRUCache<number, Promise<PgpSigner>>({ max: SIGNERS });

  /** Ids stand for contents: what a file says never changes. So indexes are printed when a file came or went. */
  async function indexesOf(distribution: DebianDistributionRow, sources: readonly number[]) {
    const query = {
      where: oneOf('distributionId', [...sources]),
      sort: [desc('id')],
      limit: MOST_LISTED,
    };
    const place = `${distribution.id} ${digest(sources)}`;
    const contentOf = (rows: readonly { id: number }[]) => digest([distribution, rows.map(({ id }) => id)]);
    const content = contentOf(await readStore.find(debianFiles, { ...query, select: ['id'] }));
    const present = kept.get(place);
    if (present?.content === content) return { place, indexes: present.indexes };
    const key = `${place} ${content}`;
    let printing = underway.get(key);
    if (!printing) {
      printing = readStore.find(debianFiles, query).then(async (files) => ({
        content: contentOf(files),
        indexes: await printIndexes(distribution, files.toReversed()),
      }));
      underway.set(key, printing);
      printing
        .then((printed) => replace(place, printed))
        .catch(() => {})
        .finally(() => underway.delete(key));
    }
    return { place, indexes: (await printing).indexes };
  }

  function replace(place: string, printed: Kept): void {
    const present = kept.get(place);
    for (const [path, { bytes, sha256 }] of present?.indexes ?? [])
      if (printed.indexes.get(path)?.sha256 !== sha256)
        earlier.set(`${place} ${path.slice(0, path.lastIndexOf('/'))} ${sha256}`, bytes);
    kept.set(place, printed);
  }

  function signerOf({ id }: DebianDistributionRow): Promise<PgpSigner> {
    const known = signers.get(id);
    if (known) return known;
    const seeds = allKeys(instanceKey).map((key) =>
      Buffer.from(hkdfSync('sha256', key, '', `debian distribution ${id}`, 32)),
    );
    const signer = import('@forgelog/signatures/pgp-signing.ts').then(({ createPgpSigner }) =>
      createPgpSigner(seeds, `Debian distribution ${id}`),
    );
    signers.set(id, signer);
    return signer;
  }

  return {
    async release(distribution, sources, file) {
      const { indexes } = await indexesOf(distribution, sources);
      // Of the minute, so that a text and its signature fit together though they are asked for apart.
      const now = new Date(Math.floor(clock().getTime() / MINUTE_MS) * MINUTE_MS);
      const text = printRelease(distribution, indexes, now);
      if (file === 'Release') return text;
      const signer = await signerOf(distribution);
      return file === 'InRelease' ? signer.inline(text, now) : signer.detached(text, now);
    },
    async index(distribution, sources, path) {
      const { place, indexes } = await indexesOf(distribution, sources);
      const [, folder, sha256] = BY_HASH.exec(path) ?? [];
      if (folder === undefined || sha256 === undefined) return indexes.get(path);
      const current = FILES.map((name) => indexes.get(`${folder}/${name}`));
      const found = current.find((index) => index?.sha256 === sha256);
      const bytes = found?.bytes ?? earlier.get(`${place} ${folder} ${sha256}`);
      return bytes && { bytes, sha256 };
    },
    async publicKey(distribution) {
      return (await signerOf(distribution)).publicKey();
    },
  };
}

const sizeOf = (indexes: DebianIndexes) =>
  [...indexes.values()].reduce((size, { bytes }) => size + bytes.length, 1);

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
