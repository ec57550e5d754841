import type { AnyEndpoint } from './endpoint.ts';
import { errorTable } from './error-table.ts';
import type { ErrorCode } from './errors.ts';

/** Wrong parameters, wrong credentials, nothing there that the caller may see, and a server that fails. */
const ANY = [400, 401, 403, 404, 500, 503];
/** More in the address than a server reads. */
const ADDRESSES = [414, 431];
/** Somebody else writes the same, and what is wrong with a body. */
const WRITES = [409, 413, 415];
/** A page too far, or in an order without keyset pages. */
const LISTS = [405];

/** What an endpoint may answer beside its own status, ascending. A 304 is also what a known ETag makes of a 200. */
export function otherStatusesOf(endpoint: AnyEndpoint): number[] {
  const { method, response, pagination, otherStatuses } = endpoint;
  const reads = method === 'GET' || method === 'HEAD';
  const parametersInAddress = reads || method === 'DELETE';
  return [
    ...(method === 'GET' && response ? [304] : []),
    ...ANY,
    ...(parametersInAddress ? ADDRESSES : []),
    ...(reads ? [] : WRITES),
    ...(pagination === 'none' ? [] : LISTS),
    ...otherStatuses,
  ].sort((a, b) => a - b);
}

/** The rows of the error table that have this status. */
export const refusalsOf = (status: number): ErrorCode[] =>
  (Object.keys(errorTable) as ErrorCode[]).filter((code) => errorTable[code].status === status);
