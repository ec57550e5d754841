import {
  ControlFormError,
  type ControlParagraph,
  readParagraph,
  requireField,
  tableOf,
  withoutSignature,
} from './control-paragraph.ts';
import { kindOfFile, requireVersion, type SourceName, sourceOf } from './debian-names.ts';

export interface ChangedFile {
  filename: string;
  size: number;
  fileSha256: string;
  component: string;
}

/** What an upload says of itself, in its `.changes`. */
export interface Changes {
  source: SourceName;
  distribution: string;
  files: readonly ChangedFile[];
}

const MOST_FILES = 500;
const DIGEST = /^[0-9a-f]{64}$/;

/** @throws ControlFormError */
export function readChanges(bytes: Buffer): Changes {
  const paragraph = readParagraph(withoutSignature(bytes));
  const version = requireVersion(requireField(paragraph, 'Version'));
  const { name } = sourceOf(requireField(paragraph, 'Source'), { name: '', version });
  return {
    source: { name, version },
    distribution: requireField(paragraph, 'Distribution'),
    files: filesOf(paragraph),
  };
}

function filesOf(paragraph: ControlParagraph): ChangedFile[] {
  const digests = new Map(
    tableOf(paragraph, 'Checksums-Sha256').map(([sha256, size, name]) => [name, { sha256, size }]),
  );
  const rows = tableOf(paragraph, 'Files');
  if (rows.length > MOST_FILES) throw new ControlFormError(`names more than ${MOST_FILES} files`);
  const files = rows.map(([, size = '', section = '', , filename = '']) => {
    const digest = digests.get(filename);
    const kind = kindOfFile(filename);
    if (kind === undefined || kind === 'changes' || !/^\d{1,15}$/.test(size))
      throw new ControlFormError('has a line of Files that names no file of a package');
    if (digest?.size !== size || !DIGEST.test(digest.sha256 ?? ''))
      throw new ControlFormError(`has no SHA-256 of ${filename}`);
    const component = section.includes('/') ? section.slice(0, section.indexOf('/')) : 'main';
    return { filename, size: Number(size), fileSha256: digest.sha256!, component };
  });
  if (new Set(files.map(({ filename }) => filename)).size < files.length)
    throw new ControlFormError('names a file twice');
  return files;
}
