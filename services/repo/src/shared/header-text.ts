/** Encodes text as UTF-8 bytes for a header field, with control characters percent-encoded. */
export function headerText(text: string): string {
  const clean = text.replace(/[\x00-\x1f\x7f]/g, (character) => encodeURIComponent(character));
  return Buffer.from(clean).toString('latin1');
}
