/** Encodes text as UTF-8 bytes for a header field, with control characters percent-encoded. */
export function headerText(text: string): string {
  const clean = text.replace(/[\x00-\x1f\x7f]/g, (character) => encodeURIComponent(character));
  return Buffer.from(clean).toString('latin1');
}

/** Replaces everything but printable ASCII with `_`. */
export function asciiFallback(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '_');
}

/** Encodes an extended value (RFC 5987). */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
