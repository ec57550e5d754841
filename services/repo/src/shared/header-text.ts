/** Text in header fields, where only some bytes may stand. */

/** UTF-8 bytes as a header takes them, what would end or break the line percent-encoded. */
export function headerText(text: string): string {
  const clean = text.replace(/[\x00-\x1f\x7f]/g, (character) => encodeURIComponent(character));
  return Buffer.from(clean).toString('latin1');
}

/** `_` for everything that is no printable ASCII. */
export function asciiFallback(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '_');
}

/** RFC 5987 extended value. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
