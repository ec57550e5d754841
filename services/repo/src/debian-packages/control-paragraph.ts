/** A field as it was written, its continuation lines included. */
interface ControlField {
  name: string;
  value: string;
}

/** Fields by their name in lower case. */
export type ControlParagraph = ReadonlyMap<string, ControlField>;

/** Its message ends a sentence that begins with what was read. */
export class ControlFormError extends Error {
  override readonly name = 'ControlFormError';
}

const FIELD = /^([!"$-,./0-9;-~][!-9;-~]*):[ \t]*(.*)$/;
const CONTINUED = /^[ \t]+\S/;
const CONTROL = /[^\P{Cc}\n\t]/u;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the only paragraph of a control file. A second one would be a package of its own in an index.
 * @throws ControlFormError
 */
export function readParagraph(bytes: Uint8Array): ControlParagraph {
  const lines = textOf(bytes).split('\n');
  while (lines.at(-1)?.trim() === '') lines.pop();
  const fields = new Map<string, ControlField>();
  let last: ControlField | undefined;
  for (const line of lines) {
    const [, name, value = ''] = FIELD.exec(line) ?? [];
    if (name !== undefined) {
      const key = name.toLowerCase();
      if (fields.has(key)) throw new ControlFormError(`has the field ${name} twice`);
      last = { name, value: value.trimEnd() };
      fields.set(key, last);
    } else if (last && CONTINUED.test(line)) last.value += `\n${line.trimEnd()}`;
    else throw new ControlFormError('is not one paragraph of fields');
  }
  return fields;
}

function textOf(bytes: Uint8Array): string {
  let text: string;
  try {
    text = utf8.decode(bytes).replaceAll('\r\n', '\n');
  } catch {
    throw new ControlFormError('is not UTF-8');
  }
  if (CONTROL.test(text)) throw new ControlFormError('has control characters');
  return text;
}

const SIGNED = '-----BEGIN PGP SIGNED MESSAGE-----\n';
const SIGNATURE = '\n-----BEGIN PGP SIGNATURE-----';

/** What a signed text says, as it is where nobody signed it. The signature counts for nothing: the caller's token does. */
export function withoutSignature(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replaceAll('\r\n', '\n');
  if (!text.startsWith(SIGNED)) return bytes;
  const begins = text.indexOf('\n\n');
  const ends = text.indexOf(SIGNATURE);
  if (begins < 0 || ends < begins) return bytes;
  return Buffer.from(text.slice(begins + 2, ends + 1).replace(/^- /gm, ''), 'latin1');
}

/** @throws ControlFormError where it is missing or empty */
export function requireField(paragraph: ControlParagraph, name: string): string {
  const value = paragraph.get(name.toLowerCase())?.value.trim();
  if (!value) throw new ControlFormError(`has no field ${name}`);
  return value;
}

/** The words of each continuation line. @throws ControlFormError where the field is missing */
export const tableOf = (paragraph: ControlParagraph, name: string): string[][] =>
  requireField(paragraph, name)
    .split('\n')
    .map((line) => line.trim().split(/\s+/));

/** @param left names in lower case */
export const printFields = (paragraph: ControlParagraph, left: ReadonlySet<string>): string =>
  [...paragraph]
    .filter(([key]) => !left.has(key))
    .map(([, { name, value }]) =>
      value === '' || value.startsWith('\n') ? `${name}:${value}\n` : `${name}: ${value}\n`,
    )
    .join('');
