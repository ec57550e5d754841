import { hash } from 'node:crypto';
import {
  ERROR_LEVELS,
  type ErrorLevel,
} from '@forgelog/contracts/tracker/error-tracking/tracked-error.api.ts';
import { scrubbed, scrubbedUrl, scrubbedValue } from './scrubbed.ts';

/* From what an SDK tells of an error to what is kept of it: without secrets, without who used the program, bounded. */

export interface Frame {
  filename: string | null;
  function: string | null;
  module: string | null;
  line: number | null;
  column: number | null;
  isOwn: boolean;
  context: string | null;
}

export interface ReportedException {
  type: string;
  value: string;
  frames: Frame[];
}

export interface Occurrence {
  reportId: string;
  seenAt: string;
  exceptions: ReportedException[];
  request: { method: string | null; url: string } | null;
  tags: Record<string, string>;
}

export interface ErrorFacts {
  errorType: string;
  message: string;
  culprit: string;
  level: ErrorLevel;
  platform: string;
  environment: string | null;
  release: string | null;
}

export interface ReportedError {
  fingerprint: string;
  facts: ErrorFacts;
  occurrence: Occurrence;
}

type Fields = Readonly<Record<string, unknown>>;

const MOST_EXCEPTIONS = 5;
const MOST_FRAMES = 30;
const MOST_TAGS = 30;
const MOST_FINGERPRINT_PARTS = 20;
const LONGEST_MESSAGE = 2048;
const EVENT_ID = /^[0-9a-f]{32}$/i;

/** The type of an error without an exception, such as a message that a program reports. */
export const MESSAGE = 'Message';

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsIn = (value: unknown): Fields => (isFields(value) ? value : {});
/** SDKs wrap some lists: `{"values": […]}`. */
const listIn = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  const { values } = fieldsIn(value);
  return Array.isArray(values) ? values : [];
};

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

function textIn(value: unknown, longest: number): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  // Cut before anything else goes through it.
  const text = String(value).slice(0, longest).toWellFormed().replace(CONTROLS, '').trim();
  return text === '' ? null : text;
}

const clean = (value: unknown, longest: number): string | null => {
  const text = textIn(value, longest);
  return text === null ? null : scrubbed(text);
};

const wholeIn = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : null;

/** Undefined for what is no event of an error. */
export function reportedError(event: unknown, seenAt: string): ReportedError | undefined {
  if (!isFields(event)) return undefined;
  const exceptions = exceptionsIn(event);
  const main = exceptions.at(-1);
  const message = main?.value ?? messageIn(event);
  if (message === null) return undefined;
  const level = textIn(event.level, 20) ?? 'error';
  const facts: ErrorFacts = {
    errorType: main?.type ?? MESSAGE,
    message,
    culprit: clean(event.transaction, 255) ?? (main ? placeOf(main) : ''),
    level: ERROR_LEVELS.find((known) => known === level) ?? 'error',
    platform: textIn(event.platform, 64) ?? 'other',
    environment: clean(event.environment, 64),
    release: clean(event.release, 200),
  };
  const reportId = textIn(event.event_id, 64)?.replaceAll('-', '') ?? '';
  const occurrence: Occurrence = {
    reportId: EVENT_ID.test(reportId) ? reportId.toLowerCase() : '',
    ...{ seenAt, exceptions, request: requestIn(event), tags: tagsIn(event) },
  };
  return { fingerprint: fingerprintOf(event, facts, exceptions), facts, occurrence };
}

function messageIn({ message, logentry }: Fields): string | null {
  const entry = fieldsIn(logentry);
  const said = typeof message === 'string' ? message : (fieldsIn(message).formatted ?? null);
  return clean(said ?? entry.formatted ?? entry.message, LONGEST_MESSAGE);
}

const exceptionsIn = ({ exception }: Fields): ReportedException[] =>
  listIn(exception)
    .filter(isFields)
    .slice(-MOST_EXCEPTIONS)
    .map(({ type, value, stacktrace }) => ({
      type: clean(type, 255) ?? 'Error',
      value: clean(value, LONGEST_MESSAGE) ?? '',
      frames: framesIn(stacktrace),
    }));

function framesIn(stacktrace: unknown): Frame[] {
  const { frames } = fieldsIn(stacktrace);
  if (!Array.isArray(frames)) return [];
  return frames
    .filter(isFields)
    .slice(-MOST_FRAMES)
    .map((frame) => ({
      filename: fileIn(frame.filename ?? frame.abs_path),
      function: clean(frame.function, 128),
      module: clean(frame.module, 128),
      line: wholeIn(frame.lineno),
      column: wholeIn(frame.colno),
      isOwn: frame.in_app === true,
      context: clean(frame.context_line, 200),
    }));
}

function fileIn(value: unknown): string | null {
  const text = textIn(value, 256);
  return text === null ? null : scrubbedUrl(text);
}

function requestIn({ request }: Fields): Occurrence['request'] {
  const { method, url } = fieldsIn(request);
  const address = textIn(url, 1024);
  return address === null ? null : { method: clean(method, 20), url: scrubbedUrl(address) };
}

function tagsIn({ tags }: Fields): Record<string, string> {
  const pairs: readonly unknown[] = Array.isArray(tags) ? tags : Object.entries(fieldsIn(tags));
  const kept = new Map<string, string>();
  for (const pair of pairs) {
    if (kept.size >= MOST_TAGS) break;
    const [name, value] = Array.isArray(pair) ? [textIn(pair[0], 64), textIn(pair[1], 200)] : [null, null];
    if (name !== null && value !== null) kept.set(scrubbed(name), scrubbedValue(name, value));
  }
  return Object.fromEntries(kept);
}

/** Code of the program rather than of a library, where there is any; innermost last. */
function ownFrames(frames: readonly Frame[]): readonly Frame[] {
  const own = frames.filter(({ isOwn }) => isOwn);
  return own.length > 0 ? own : frames;
}

function placeOf({ frames }: ReportedException): string {
  const frame = ownFrames(frames).at(-1);
  if (!frame) return '';
  const file = frame.filename ?? frame.module;
  const place =
    frame.function === null ? file : file === null ? frame.function : `${frame.function} (${file})`;
  return (place ?? '').slice(0, 255);
}

const DEFAULT = /^\{\{\s*default\s*\}\}$/;
const MOST_COMPARED = 5;

/** An SDK may say what belongs together; else it is what is thrown, where, and the shape of what it says. */
function fingerprintOf(
  { fingerprint, logger }: Fields,
  { errorType, message, culprit }: ErrorFacts,
  exceptions: readonly ReportedException[],
): string {
  const own =
    exceptions.length === 0
      ? [errorType, shapeOf(message), culprit, textIn(logger, 64) ?? '']
      : exceptions.flatMap(({ type, value, frames }) => [
          ...[type, shapeOf(value)],
          ...ownFrames(frames)
            .slice(-MOST_COMPARED)
            .map((frame) => `${frame.module ?? fileShape(frame.filename)} ${frame.function ?? ''}`),
        ]);
  const given = Array.isArray(fingerprint) ? fingerprint.slice(0, MOST_FINGERPRINT_PARTS) : [];
  const parts = given.flatMap((part) => textIn(part, 255) ?? []);
  const named = parts.length === 0 ? own : parts.flatMap((part) => (DEFAULT.test(part) ? own : [`=${part}`]));
  return hash('sha256', JSON.stringify(named), 'hex').slice(0, 40);
}

/** What differs from one occurrence to the next, such as numbers and ids, counts as the same. */
const shapeOf = (text: string): string =>
  text
    .replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '"…"')
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '#')
    .replace(/\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{8,}\b/gi, '#')
    .replace(/\d+/g, '#');

/** Bundlers put a hash into the names of files, and servers their host before them. */
const fileShape = (name: string | null): string =>
  (name ?? '')
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .replace(/([.-])(?=[a-f]*\d)[0-9a-f]{6,}(?=\.)/gi, '$1#');
