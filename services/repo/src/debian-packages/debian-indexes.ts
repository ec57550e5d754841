import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { PublishedKind } from '@forgelog/contracts/repo/packages/package.values.ts';
import type { DebianDistributionRow } from '../debian-distributions/debian-distributions.projection.ts';
import type { DebianFileRow } from '../packages/packages.projection.ts';
import { poolFolder } from './debian-names.ts';

export interface DebianIndex {
  bytes: Buffer;
  md5: string;
  sha256: string;
}

/** Indexes by their path below the distribution. */
export type DebianIndexes = ReadonlyMap<string, DebianIndex>;

type Distribution = Pick<DebianDistributionRow, 'groupId' | 'codename' | 'components' | 'architectures'>;

const packed = promisify(gzip);

/** @param files those of the distribution, the oldest first: a later one takes the place of an earlier one of its name */
export async function printIndexes(
  distribution: Distribution,
  files: readonly DebianFileRow[],
): Promise<DebianIndexes> {
  const current = [...new Map(files.map((file) => [`${file.projectId} ${file.filename}`, file])).values()];
  const entries = new Map<string, string[]>();
  for (const component of distribution.components) {
    for (const architecture of distribution.architectures) {
      entries.set(`${component}/binary-${architecture}/Packages`, []);
      entries.set(`${component}/debian-installer/binary-${architecture}/Packages`, []);
    }
    entries.set(`${component}/source/Sources`, []);
  }
  for (const file of current)
    for (const path of pathsOf(distribution, file)) entries.get(path)?.push(entryOf(distribution, file));
  const indexes = new Map<string, DebianIndex>();
  for (const [path, texts] of entries) {
    const [plain, gzipped] = texts.length === 0 ? await EMPTY : await bothOf(texts.join('\n'));
    indexes.set(path, plain);
    indexes.set(`${path}.gz`, gzipped);
  }
  return indexes;
}

/** A package for all architectures is in the index of each: older clients look nowhere else. */
function pathsOf(
  { architectures }: Distribution,
  { kind, component, architecture }: DebianFileRow,
): string[] {
  if ((kind as PublishedKind) === 'dsc') return [`${component}/source/Sources`];
  const folder = (kind as PublishedKind) === 'udeb' ? `${component}/debian-installer` : component;
  const named = architecture === 'all' ? architectures : [architecture];
  return named.map((one) => `${folder}/binary-${one}/Packages`);
}

function entryOf({ groupId, codename }: Distribution, file: DebianFileRow): string {
  const project = groupId === null ? '' : `${file.projectId}/`;
  const folder = `pool/${codename}/${project}${poolFolder(file.source)}/${file.source}/${file.version}`;
  if ((file.kind as PublishedKind) === 'dsc') return `${file.control}Directory: ${folder}\n`;
  const { filename, size, fileMd5, fileSha1, fileSha256 } = file;
  return `${file.control}Filename: ${folder}/${filename}
Size: ${size}
MD5sum: ${fileMd5}
SHA1: ${fileSha1}
SHA256: ${fileSha256}
`;
}

async function bothOf(text: string): Promise<[DebianIndex, DebianIndex]> {
  const bytes = Buffer.from(text);
  return [indexOf(bytes), indexOf(await packed(bytes))];
}

const indexOf = (bytes: Buffer): DebianIndex => ({
  bytes,
  md5: createHash('md5').update(bytes).digest('hex'),
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** Most of a distribution with many parts is empty. */
const EMPTY = bothOf('');

type Described = Distribution &
  Pick<
    DebianDistributionRow,
    'suite' | 'origin' | 'label' | 'version' | 'description' | 'validTimeDurationSeconds'
  >;

/** What a client reads first. Whatever else it reads must be as this says. */
export function printRelease(distribution: Described, indexes: DebianIndexes, date: Date): string {
  const { suite, origin, label, version, description, validTimeDurationSeconds: valid } = distribution;
  const fields: [string, string | null][] = [
    ['Origin', origin],
    ['Label', label],
    ['Suite', suite],
    ['Version', version],
    ['Codename', distribution.codename],
    ['Date', utc(date)],
    ['Valid-Until', valid === null ? null : utc(new Date(date.getTime() + valid * 1000))],
    ['Acquire-By-Hash', 'yes'],
    ['No-Support-for-Architecture-all', 'Packages'],
    ['Architectures', distribution.architectures.join(' ')],
    ['Components', distribution.components.join(' ')],
    ['Description', description === null ? null : folded(description)],
  ];
  const told = fields.flatMap(([name, value]) => (value === null ? [] : `${name}: ${value}`));
  const digests = (['MD5Sum', 'SHA256'] as const).flatMap((name) => [
    `${name}:`,
    ...[...indexes].map(([path, { bytes, md5, sha256 }]) => {
      const digest = name === 'MD5Sum' ? md5 : sha256;
      return ` ${digest} ${bytes.length} ${path}`;
    }),
  ]);
  return `${[...told, ...digests].join('\n')}\n`;
}

const utc = (date: Date) => date.toUTCString().replace('GMT', 'UTC');

/** A text of several lines goes on in lines that begin with a space; an empty one would end the paragraph. */
const folded = (text: string) =>
  text
    .split(/\r\n|[\n\r]/)
    .map((line) => line.replace(/\p{Cc}/gu, ' ').trimEnd())
    .map((line, at) => (at === 0 ? line : ` ${line || '.'}`))
    .join('\n')
    .trim();
