import { Rejection } from '@forgelog/contracts/errors.ts';

/* An envelope is a line of JSON, and for each item another line and then as many bytes as that line says. */

const LINE_END = 0x0a;
const MOST_ITEMS = 100;

const malformed = (reason: string) => new Rejection('malformed_body', { reason });

/** The event of an error in the envelope; undefined where it has only other items. @throws Rejection 400 */
export function eventInEnvelope(body: Buffer): unknown {
  let at = 0;
  const line = () => {
    const end = body.indexOf(LINE_END, at);
    const text = body.subarray(at, end === -1 ? body.length : end);
    at = end === -1 ? body.length : end + 1;
    return text;
  };
  const header = jsonOf(line());
  if (!isObject(header)) throw malformed('The envelope does not begin with a header');
  let event: unknown;
  let items = 0;
  while (at < body.length) {
    const itemHeader = line();
    // Some SDKs end the last item with empty lines.
    if (itemHeader.length === 0) continue;
    items += 1;
    if (items > MOST_ITEMS) throw malformed(`The envelope has more than ${MOST_ITEMS} items`);
    const parsed = jsonOf(itemHeader);
    if (!isObject(parsed) || typeof parsed.type !== 'string')
      throw malformed('An item of the envelope has no type');
    const payload = itemOf(parsed.length);
    if (parsed.type !== 'event') continue;
    if (event !== undefined) throw malformed('The envelope has more than one event');
    event = jsonOf(payload);
    if (!isObject(event)) throw malformed('The event of the envelope is no JSON object');
  }
  if (items === 0) throw malformed('The envelope has no item');
  return event;

  function itemOf(length: unknown): Buffer {
    if (length === undefined) return line();
    const end = typeof length === 'number' && Number.isSafeInteger(length) && length >= 0 ? at + length : -1;
    if (end < 0 || end > body.length) throw malformed('An item of the envelope is not as long as it says');
    const payload = body.subarray(at, end);
    at = end;
    if (at < body.length && line().length > 0)
      throw malformed('An item of the envelope is longer than it says');
    return payload;
  }
}

/** The event of a report by an older SDK. @throws Rejection 400 */
export function eventInReport(body: Buffer): unknown {
  const event = jsonOf(body);
  if (!isObject(event)) throw malformed('The report is no JSON object');
  return event;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
