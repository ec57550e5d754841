import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Scalar } from '@forgelog/eventing/query.ts';
import { allKeys, type InstanceKey } from './instance-key.ts';

/** A position in a list: the sort keys of the last item on a page. */
export interface KeysetPosition {
  /** Identifies the order, so that a cursor is never used with another one. */
  order: string;
  values: readonly (Scalar | null)[];
}

export interface Keyset {
  parameter: string;
  /** null for the first page. */
  after: KeysetPosition | null;
}

/**
 * Keyset cursors: a position as text, readable and authenticated. Forged, changed or foreign cursors do not open, so
 * an opened position has the types it was sealed with.
 */
export interface Cursors {
  seal(list: string, position: KeysetPosition): string;
  /** undefined for a cursor that was not sealed for this list. */
  open(list: string, cursor: string): KeysetPosition | undefined;
}

const MAC_BYTES = 16;

export function createCursors(instanceKey: InstanceKey): Cursors {
  const macOf = (list: string, body: string, key = instanceKey()) =>
    createHmac('sha256', key).update(`cursor\0${list}\0${body}`).digest().subarray(0, MAC_BYTES);
  return {
    seal(list, { order, values }) {
      const body = JSON.stringify([order, ...values]);
      return Buffer.concat([macOf(list, body), Buffer.from(body)]).toString('base64url');
    },
    open(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      // Reject lax base64url: only the exact text that `seal` returned opens.
      if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== cursor) return undefined;
      const body = bytes.subarray(MAC_BYTES).toString();
      const mac = bytes.subarray(0, MAC_BYTES);
      if (!allKeys(instanceKey).some((key) => timingSafeEqual(mac, macOf(list, body, key)))) return undefined;
      const [order, ...values] = JSON.parse(body) as [string, ...KeysetPosition['values']];
      return { order, values };
    },
  };
}

export const invalidCursor = (parameter: string): Rejection =>
  new Rejection('invalid_parameters', {
    problems: [
      `${parameter} is invalid: take it from the Link header of the page before, or leave it out to begin anew`,
    ],
  });

/** Short, because it is a part of every cursor. */
export const orderNamed = (kind: string, order: unknown): string =>
  hash('sha1', JSON.stringify([kind, order]), 'base64url').slice(0, 10);

/** undefined for the first page. @throws 400 for a cursor of another order */
export function valuesAfter(
  { keyset }: { keyset: Keyset | null },
  order: string,
): KeysetPosition['values'] | undefined {
  if (!keyset?.after) return undefined;
  if (keyset.after.order !== order) throw invalidCursor(keyset.parameter);
  return keyset.after.values;
}
