const X = 'x'.charCodeAt(0);

/** Overwrites a secret with as many `x`, so that offsets stay as they are. The runner masks too, and knows all secrets. */
export function masked(bytes: Buffer, secret: string): Buffer {
  let at = bytes.indexOf(secret);
  if (at < 0) return bytes;
  const copy = Buffer.from(bytes);
  for (; at >= 0; at = copy.indexOf(secret, at)) copy.fill(X, at, at + Buffer.byteLength(secret));
  return copy;
}
