/** Bands of `side-band-64k`: 1 carries the report, 2 progress for the user, 3 a fatal error. */
const REPORT_BAND = 1;
const MESSAGE_BANDS: readonly (number | undefined)[] = [2, 3];
/** git sends an empty packet on band 1 as a keep-alive. */
const KEEP_ALIVE_LENGTH = 5;

/**
 * Streams messages of receive-pack at once, and its report only after `followed`: clients stop reading at the report's
 * flush packet. A message that `followed` resolves with comes before it. Meanwhile it drains git's output, or git would block on a full pipe.
 */
export async function* reportAfter(
  output: AsyncIterable<Buffer>,
  followed: Promise<string | undefined>,
): AsyncGenerator<Buffer, void, undefined> {
  let unread: Buffer = Buffer.alloc(0);
  const held: Buffer[] = [];
  for await (const chunk of output) {
    if (held.length > 0) {
      held.push(chunk);
      continue;
    }
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    const { end, isReport } = messagesOf(unread);
    if (end > 0) yield unread.subarray(0, end);
    unread = unread.subarray(end);
    if (isReport) held.push(unread);
  }
  const message = await followed;
  const report = Buffer.concat(held.length > 0 ? held : [unread]);
  if (message && report[4] === REPORT_BAND) yield messagePacket(message);
  yield report;
}

/** Without side-bands there is no place for a message. */
function messagePacket(message: string): Buffer {
  const bytes = Buffer.from(`\x02${message}`);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

/** Finds where the leading messages end, and whether the report starts there. */
function messagesOf(bytes: Buffer): { end: number; isReport: boolean } {
  let end = 0;
  while (bytes.length - end > 4) {
    const length = Number.parseInt(bytes.toString('latin1', end, end + 4), 16);
    const band = bytes[end + 4];
    const isMessage = MESSAGE_BANDS.includes(band) || (band === REPORT_BAND && length === KEEP_ALIVE_LENGTH);
    if (!isMessage || !(length >= KEEP_ALIVE_LENGTH)) return { end, isReport: true };
    if (end + length > bytes.length) break;
    end += length;
  }
  return { end, isReport: false };
}
