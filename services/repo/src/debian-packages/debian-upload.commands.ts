import { Rejection } from '@forgelog/contracts/errors.ts';
import { INCOMING, MOST_DEBIAN_BYTES } from '@forgelog/contracts/repo/packages/package.values.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, desc, eq, isEmpty } from '@forgelog/eventing/query.ts';
import { findDistribution } from '../debian-distributions/debian-distribution.query.ts';
import type { DebianDistributionRow } from '../debian-distributions/debian-distributions.projection.ts';
import { type DebianPublication, packageDecider, packageStream } from '../packages/package.decider.ts';
import { packageFileKey } from '../packages/package-key.ts';
import { debianFiles, type PackageFileRow, packageFiles, packages } from '../packages/packages.projection.ts';
import {
  type ArrivedFile,
  addAllToPackage,
  addToPackage,
  type NamedFile,
  storeBytes,
} from '../packages/store-file.commands.ts';
import type { RepoPorts } from '../ports.ts';
import { type Changes, readChanges } from './changes-file.ts';
import {
  ControlFormError,
  type ControlParagraph,
  printFields,
  readParagraph,
  requireField,
  withoutSignature,
} from './control-paragraph.ts';
import { readDebControl } from './deb-file.ts';
import {
  type DebianFileKind,
  kindOfFile,
  requireArchitecture,
  requirePackageName,
  requireVersion,
  type SourceName,
  sourceOf,
} from './debian-names.ts';
import { MOST_LISTED } from './debian-repository.ts';

type UploadPorts = Pick<RepoPorts, 'commands' | 'ids' | 'objects' | 'readStore'>;

export interface DebianTarget {
  distribution: DebianDistributionRow;
  component: string;
}

export interface DebianUpload {
  projectId: number;
  filename: string;
  kind: DebianFileKind;
  /** Where a binary package goes at once; else it waits for a `.changes` that names it. */
  target: DebianTarget | undefined;
}

/** Bytes of a text that comes with packages. */
const TEXT_BYTES = 1024 * 1024;

/** Makes a stored file one of a package. What is refused is deleted. @throws 400 */
export async function addDebianFile(
  ports: UploadPorts,
  { projectId, filename, kind, target }: DebianUpload,
  file: ArrivedFile,
  metadata: EventMetadata,
): Promise<void> {
  const debian = { projectId, packageType: 'debian' as const };
  try {
    if (kind === 'changes') return await assign(ports, projectId, { filename, ...file }, metadata);
    const described = await describe(ports, projectId, filename, file);
    if (!target) {
      await addToPackage(ports, { ...debian, name: INCOMING, version: null, filename }, file, metadata);
      return;
    }
    const { source, publication } = described!;
    await requireRoom(ports, target.distribution.id, 1);
    const named = { filename, ...file, publication: publishedIn(target, publication, filename) };
    await addAllToPackage(ports, { ...debian, ...source }, [named], metadata);
  } catch (error) {
    if (error instanceof ControlFormError) {
      await ports.objects.delete(file.key);
      throw refused(`${filename} ${error.message}`);
    }
    if (error instanceof Rejection) await ports.objects.delete(file.key);
    throw error;
  }
}

/** Puts what a `.changes` names into the package and the distribution that it says. */
async function assign(
  ports: UploadPorts,
  projectId: number,
  changesFile: NamedFile,
  metadata: EventMetadata,
): Promise<void> {
  const changes = readChanges(await textOf(ports, projectId, changesFile));
  const distribution = await findDistribution(
    ports.readStore,
    { projectId, groupId: null },
    changes.distribution,
  );
  if (!distribution)
    throw refused(`${changesFile.filename} names a distribution that the project does not have`);
  await requireRoom(ports, distribution.id, changes.files.length);
  const incoming = await incomingFiles(ports, projectId, changes);
  const copies: NamedFile[] = [];
  try {
    for (const { row, component } of incoming) {
      const { filename } = row;
      const described = await describe(ports, projectId, filename, { ...row, packageFileId: row.id });
      const publication =
        described && publishedIn({ distribution, component }, described.publication, filename);
      copies.push({ filename, ...(await copyOf(ports, row)), publication });
    }
  } catch (error) {
    for (const { key } of copies) await ports.objects.delete(key);
    throw error;
  }
  const target = { projectId, packageType: 'debian' as const, ...changes.source };
  await addAllToPackage(ports, target, [...copies, changesFile], metadata);
  for (const { row } of incoming) await leaveIncoming(ports, row, metadata);
}

/** @throws 400 naming the first file that did not come before its `.changes` */
async function incomingFiles({ readStore }: UploadPorts, projectId: number, { files }: Changes) {
  const where = and(
    eq('projectId', projectId),
    eq('packageType', 'debian'),
    eq('name', INCOMING),
    isEmpty('version'),
  );
  const [incoming] = await readStore.find(packages, { where, limit: 1 });
  const found: { row: PackageFileRow; component: string }[] = [];
  for (const { filename, fileSha256, size, component } of files) {
    const named = and(
      ...[eq('packageId', incoming?.id ?? 0), eq('filename', filename), eq('fileSha256', fileSha256)],
    );
    const [row] = await readStore.find(packageFiles, { where: named, sort: [desc('id')], limit: 1 });
    if (row?.size !== size) throw refused(`${filename} was not uploaded before, or is another file`);
    found.push({ row, component });
  }
  return found;
}

/** An object of its own, so that the end of the one that waited takes nothing along (ADR 47). */
async function copyOf(ports: UploadPorts, row: PackageFileRow): Promise<ArrivedFile> {
  const { id: packageFileId, projectId, filename, fileSha256 } = row;
  const found = await ports.objects.get(packageFileKey({ projectId, packageFileId, fileSha256 }));
  if (!found) throw refused(`${filename} was not uploaded before, or is another file`);
  return storeBytes(ports, projectId, found.body, MOST_DEBIAN_BYTES);
}

/** Two uploads of a `.changes` at once both take the files, and one of them removes them. */
async function leaveIncoming(
  { commands }: UploadPorts,
  { id: packageFileId, packageId, projectId }: PackageFileRow,
  metadata: EventMetadata,
): Promise<void> {
  const stream = packageStream({ projectId, packageType: 'debian', name: INCOMING, version: null });
  const command = { type: 'DeletePackageFile' as const, packageId, projectId, packageFileId };
  await commands.handle(packageDecider, stream, command, metadata).catch((error) => {
    if (!(error instanceof Rejection && error.code === 'record_not_found')) throw error;
  });
}

interface Described {
  source: SourceName;
  publication: Pick<DebianPublication, 'kind' | 'architecture' | 'control'>;
}

type StoredFile = Pick<ArrivedFile, 'packageFileId' | 'size' | 'fileSha256' | 'fileSha1' | 'fileMd5'>;

/** What a file says of itself; undefined for one that no index names. @throws ControlFormError for what is no such file */
async function describe(
  ports: UploadPorts,
  projectId: number,
  filename: string,
  file: StoredFile,
): Promise<Described | undefined> {
  const kind = kindOfFile(filename);
  if (kind === 'dsc') return describeSource(await textOf(ports, projectId, file), filename, file);
  if (kind !== 'deb' && kind !== 'udeb') return undefined;
  const control = await readDebControl(file.size, (start, end) =>
    opened(ports, projectId, file, { start, end }),
  );
  const paragraph = readParagraph(control);
  const name = requirePackageName(requireField(paragraph, 'Package'));
  const version = requireVersion(requireField(paragraph, 'Version'));
  const architecture = requireArchitecture(requireField(paragraph, 'Architecture'));
  return {
    source: sourceOf(paragraph.get('source')?.value, { name, version }),
    publication: { kind, architecture, control: printFields(paragraph, OF_INDEX) },
  };
}

/** Fields that an index fills in itself. */
const OF_INDEX = new Set([
  'filename',
  'size',
  'md5sum',
  'sha1',
  'sha256',
  'sha512',
  'description-md5',
  'directory',
]);
const OF_SOURCES = new Set(['source', 'files', 'checksums-sha1', 'checksums-sha256', 'directory', 'package']);

/** An index of sources names the `.dsc` too, beside the files that it names. */
function describeSource(text: Buffer, filename: string, file: StoredFile): Described {
  const paragraph = readParagraph(withoutSignature(text));
  const name = requirePackageName(requireField(paragraph, 'Source'));
  const version = requireVersion(requireField(paragraph, 'Version'));
  const listed = (field: string, digest: string) =>
    `${field}:${filesIn(paragraph, field)}\n ${digest} ${file.size} ${filename}\n`;
  const control = [
    `Package: ${name}\n`,
    printFields(paragraph, OF_SOURCES),
    listed('Files', file.fileMd5),
    listed('Checksums-Sha1', file.fileSha1),
    listed('Checksums-Sha256', file.fileSha256),
  ].join('');
  return { source: { name, version }, publication: { kind: 'dsc', architecture: 'source', control } };
}

function filesIn(paragraph: ControlParagraph, field: string): string {
  const value = paragraph.get(field.toLowerCase())?.value.trim() ?? '';
  return value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => `\n ${line}`)
    .join('');
}

/** @throws 400 where the distribution has no such part */
function publishedIn(
  { distribution, component }: DebianTarget,
  described: Described['publication'],
  filename: string,
): DebianPublication {
  const { components, architectures, codename, id: debianDistributionId } = distribution;
  const { architecture } = described;
  if (!components.includes(component))
    throw refused(`${filename} is for the component ${component}, which ${codename} does not have`);
  if (architecture !== 'source' && !architectures.includes(architecture))
    throw refused(`${filename} is for the architecture ${architecture}, which ${codename} does not have`);
  return { debianDistributionId, component, ...described };
}

async function requireRoom({ readStore }: UploadPorts, id: number, more: number): Promise<void> {
  const where = eq('distributionId', id);
  if ((await readStore.count(debianFiles, { where, atMost: MOST_LISTED })) + more > MOST_LISTED)
    throw refused(`The distribution has ${MOST_LISTED} files at most`);
}

async function textOf(ports: UploadPorts, projectId: number, file: StoredFile): Promise<Buffer> {
  if (file.size > TEXT_BYTES) throw new ControlFormError(`is larger than ${TEXT_BYTES} bytes`);
  const body = await opened(ports, projectId, file);
  return Buffer.concat(await Array.fromAsync(body as AsyncIterable<Buffer>));
}

async function opened(
  { objects }: Pick<UploadPorts, 'objects'>,
  projectId: number,
  { packageFileId, fileSha256 }: StoredFile,
  range?: { start: number; end: number },
) {
  const found = await objects.get(packageFileKey({ projectId, packageFileId, fileSha256 }), range);
  if (!found) throw new Rejection('record_not_found');
  return found.body;
}

const refused = (reason: string) => new Rejection('bad_request', { reason });
