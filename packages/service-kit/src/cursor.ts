import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Scalar } from '@forgelog/eventing/query.ts';

/** A place in a list: what its last item on a page has for each key of the list's order. */
export interface Place {
  /** Names the order, so that a place is never looked up in another. */
  order: string;
  values: readonly (Scalar | null)[];
}

export interface Keyset {
  /** The parameter that brings the cursor. */
  parameter: string;
  /** Where the page before ended; null for the first page. */
  after: Place | null;
}

/**
 * Cursors of keyset pages: a place as text that a client hands back. The text is readable and authenticated. A forged
 * or changed one, and one of another list, does not open, so an opened place has the types it was sealed with.
 */
export interface Cursors {
  /** @param list names the list that the cursor is for */
  seal(list: string, place: Place): string;
  /** undefined for what was not sealed for this list. */
  open(list: string, cursor: string): Place | undefined;
}

const MAC_BYTES = 16;

/** @param key of the instance, asked for with the first cursor */
export function createCursors(key: () => Buffer): Cursors {
  const macOf = (list: string, body: string) =>
    createHmac('sha256', key()).update(`cursor\0${list}\0${body}`).digest().subarray(0, MAC_BYTES);
  return {
    seal(list, { order, values }) {
      const body = JSON.stringify([order, ...values]);
      return Buffer.concat([macOf(list, body), Buffer.from(body)]).toString('base64url');
    },
    open(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      // What decodes although it is no base64url, or is longer than its bytes, was not given by `seal`.
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) return undefined;
      const body = bytes.subarray(MAC_BYTES).toString();
      if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(list, body))) return undefined;
      const [order, ...values] = JSON.parse(body) as [string, ...Place['values']];
      return { order, values };
    },
  };
}

/** The refusal of a cursor that the parameter brought. */
export const invalidCursor = (parameter: string): Rejection =>
  new Rejection('invalid_parameters', {
    problems: [
      `${parameter} is invalid: take it from the Link header of the page before, or leave it out to begin anew`,
    ],
  });

/** A short name for an order, which goes into every cursor. */
export const orderNamed = (kind: string, order: unknown): string =>
  hash('sha1', JSON.stringify([kind, order]), 'base64url').slice(0, 10);

/**
 * The values after which a keyset page begins; undefined where it begins at the beginning.
 * @throws 400 for a cursor of another order
 */
export function valuesAfter(
  { keyset }: { keyset: Keyset | null },
  order: string,
): Place['values'] | undefined {
  if (!keyset?.after) return undefined;
  if (keyset.after.order !== order) throw invalidCursor(keyset.parameter);
  return keyset.after.values;
}
