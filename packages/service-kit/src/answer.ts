import type { Readable, Writable } from 'node:stream';
import type { KeysetPosition } from './cursor.ts';
import type { JsonTemplate } from './json-template.ts';

export type Headers = Readonly<Record<string, string | number>>;

/** The result of a handler. JSON may hold placeholders (json-template.ts), which are filled in when it is sent. */
export type Answer =
  | { kind: 'json'; status?: number; text: string | JsonTemplate; headers?: Headers }
  | { kind: 'list'; items: readonly string[] | JsonTemplate; next: NextPage; headers?: Headers }
  | { kind: 'empty'; status: number; headers?: Headers }
  | { kind: 'text'; status?: number; text: string; headers: Headers }
  | { kind: 'bytes'; status?: number; bytes: Buffer; headers: Headers }
  /** `outline` is compared with the contract instead of the stream: the same JSON with its large texts left empty. */
  | { kind: 'stream'; status?: number; stream: Readable; headers: Headers; outline?: string }
  /** Open for as long as the reader stays: `begin` may still refuse, and what it returns writes to them. */
  | { kind: 'open'; headers: Headers; begin: () => (out: Writable) => Promise<void> };

export type NextPage =
  /** Offset pages: `total` is null beyond the counted maximum, or where nothing is counted. */
  | { by: 'offset'; total: number | null; more: boolean }
  /** Keyset pages: where the next page starts, null on the last one. */
  | { by: 'keyset'; after: KeysetPosition | null };

export const json = (
  text: string | JsonTemplate,
  options: { status?: number; headers?: Headers } = {},
): Answer => ({
  kind: 'json',
  text,
  ...options,
});

export const value = (body: unknown, options: { status?: number; headers?: Headers } = {}): Answer =>
  json(JSON.stringify(body), options);

export const noContent = (headers?: Headers): Answer => ({ kind: 'empty', status: 204, headers });
/** 304 without a body: the command changed nothing (companions.md 1.2). */
export const unchanged = (): Answer => ({ kind: 'empty', status: 304 });
/** The deletion continues in the background. */
export const accepted = (): Answer => json('{"message":"202 Accepted"}', { status: 202 });

export const page = (items: readonly string[], next: NextPage, headers?: Headers): Answer => ({
  kind: 'list',
  items,
  next,
  headers,
});
