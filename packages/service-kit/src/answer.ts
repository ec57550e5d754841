import type { Readable } from 'node:stream';
import type { Place } from './cursor.ts';
import type { JsonTemplate } from './json-template.ts';

export type Headers = Readonly<Record<string, string | number>>;

/**
 * What a handler gives back. JSON may hold references (json-template.ts), in text or in parts; they are rendered when
 * sending.
 */
export type Answer =
  | { kind: 'json'; status?: number; text: string | JsonTemplate; headers?: Headers }
  | { kind: 'list'; items: readonly string[] | JsonTemplate; next: NextPage; headers?: Headers }
  | { kind: 'empty'; status: number; headers?: Headers }
  | { kind: 'text'; status?: number; text: string; headers: Headers }
  | { kind: 'bytes'; status?: number; bytes: Buffer; headers: Headers }
  | { kind: 'stream'; status?: number; stream: Readable; headers: Headers };

/** What follows a page of a list. */
export type NextPage =
  /** Offset: `total` is null where it is beyond what is counted (or never counted). */
  | { by: 'offset'; total: number | null; more: boolean }
  /** Keyset: where the next page goes on, null at the end. */
  | { by: 'keyset'; after: Place | null };

/** A JSON answer; the status is the endpoint's own unless given. */
export const json = (
  text: string | JsonTemplate,
  options: { status?: number; headers?: Headers } = {},
): Answer => ({
  kind: 'json',
  text,
  ...options,
});

/** A value as a JSON answer. */
export const value = (body: unknown, options: { status?: number; headers?: Headers } = {}): Answer =>
  json(JSON.stringify(body), options);

export const noContent = (headers?: Headers): Answer => ({ kind: 'empty', status: 204, headers });
/** Nothing to do: 304 without a body (companions.md 1.2). */
export const unchanged = (): Answer => ({ kind: 'empty', status: 304 });
/** A deletion that goes on in the background. */
export const accepted = (): Answer => json('{"message":"202 Accepted"}', { status: 202 });

export const page = (items: readonly string[], next: NextPage, headers?: Headers): Answer => ({
  kind: 'list',
  items,
  next,
  headers,
});
