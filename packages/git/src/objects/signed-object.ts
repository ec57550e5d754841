/** Splits signed commits and tags as git does, into what was signed and the signature. */

/** `signature` is armoured text. */
export interface SignedObject {
  payload: Buffer;
  signature: string;
}

/** Headers with a signature of the commit; neither is a part of what the other signs. */
const HEADERS = ['gpgsig ', 'gpgsig-sha256 '];
const BEGINNINGS = [
  '-----BEGIN PGP SIGNATURE-----',
  '-----BEGIN PGP MESSAGE-----',
  '-----BEGIN SIGNED MESSAGE-----',
  '-----BEGIN SSH SIGNATURE-----',
];

/** Several signatures follow one another in the text. Returns undefined for a commit without any. */
export function signedCommit(content: Buffer): SignedObject | undefined {
  const kept: Buffer[] = [];
  const signature: Buffer[] = [];
  let header = '';
  let at = 0;
  while (at < content.length && content[at] !== LF) {
    const newline = content.indexOf(LF, at);
    const end = newline < 0 ? content.length : newline + 1;
    const line = content.subarray(at, end);
    if (line[0] !== SPACE) header = HEADERS.find((name) => startsWith(line, name)) ?? '';
    if (header === '') kept.push(line);
    else if (header === HEADERS[0]) signature.push(line.subarray(line[0] === SPACE ? 1 : header.length));
    at = end;
  }
  if (signature.length === 0) return undefined;
  kept.push(content.subarray(at));
  return { payload: Buffer.concat(kept), signature: Buffer.concat(signature).toString('latin1') };
}

/** The signature is the end of the tag, from the last line that begins one. */
export function signedTag(content: Buffer): SignedObject | undefined {
  const begin = Math.max(...BEGINNINGS.map((text) => content.lastIndexOf(`\n${text}`) + 1));
  if (begin === 0) return undefined;
  return { payload: content.subarray(0, begin), signature: content.toString('latin1', begin) };
}

const LF = 10;
const SPACE = 32;
const startsWith = (line: Buffer, text: string) => line.toString('latin1', 0, text.length) === text;
