/** `Content-Disposition` (RFC 6266), with a plain file name for clients that do not read the extended one. */
export function disposition(kind: 'inline' | 'attachment', name: string | undefined): string {
  if (name === undefined) return kind;
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  return `${kind}; filename="${plain}"; filename*=UTF-8''${percentEncoded(name)}`;
}

/** Encodes an extended value (RFC 5987). */
function percentEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
