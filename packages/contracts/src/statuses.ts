import type { AnyEndpoint } from './endpoint.ts';
import { errorTable } from './error-table.ts';
import type { ErrorCode } from './errors.ts';

/** Invalid parameters, invalid credentials or too many of them, nothing visible there, failures of the server. */
const ANY = [400, 401, 403, 404, 429, 500, 503];
/** Addresses beyond the server's limits. */
const ADDRESSES = [414, 431];
/** Concurrent writes and invalid bodies. */
const WRITES = [409, 413, 415];
/** A page too far, or an order without keyset pages. */
const LISTS = [405];

/** Statuses besides the endpoint's own, ascending. A 200 also becomes a 304 when the ETag matches. */
export function otherStatusesOf(endpoint: AnyEndpoint): number[] {
  const { method, response, pagination, otherStatuses, otherResponses } = endpoint;
  const reads = method === 'GET' || method === 'HEAD';
  const parametersInAddress = reads || method === 'DELETE';
  const statuses = [
    ...(method === 'GET' && response ? [304] : []),
    ...ANY,
    ...(parametersInAddress ? ADDRESSES : []),
    ...(reads ? [] : WRITES),
    ...(pagination === 'none' ? [] : LISTS),
    ...otherStatuses,
    ...Object.keys(otherResponses).map(Number),
  ];
  return [...new Set(statuses)].sort((a, b) => a - b);
}

export const refusalsOf = (status: number): ErrorCode[] =>
  (Object.keys(errorTable) as ErrorCode[]).filter((code) => errorTable[code].status === status);
