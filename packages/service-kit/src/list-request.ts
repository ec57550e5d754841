import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { cursorParams, DEFAULT_PER_PAGE, pageParams } from '@forgelog/contracts/page.params.ts';
import { decodeParams, type RawRecord } from '@forgelog/contracts/params.ts';
import { type Cursors, invalidCursor, type Keyset, type KeysetPosition } from './cursor.ts';
import { type PageRequest, pageRequest } from './pagination.ts';

/** Filters are not a part of the list: a caller may continue with other ones. */
interface RequestedList {
  endpoint: AnyEndpoint;
  pathParams: Readonly<Record<string, string | undefined>>;
}

export const NO_PAGE: PageRequest = { number: 1, size: DEFAULT_PER_PAGE, offset: 0, keyset: null };

/** Adds errors to `problems`. @throws 400 for an invalid cursor, or one of another list */
export function requestedPage(
  list: RequestedList,
  raw: RawRecord,
  problems: string[],
  cursors: Cursors,
): PageRequest {
  const params = decodeParams(pageParams, raw, problems);
  if (params.pagination !== 'keyset') return problems.length > 0 ? NO_PAGE : pageRequest(params);
  const parameter = list.endpoint.cursor;
  const given: { cursor?: string; page_token?: string } = decodeParams(
    cursorParams[parameter],
    raw,
    problems,
  );
  if (problems.length > 0) return NO_PAGE;
  return { ...pageRequest(params), keyset: keysetAfter(given[parameter], parameter, list, cursors) };
}

function keysetAfter(
  cursor: string | undefined,
  parameter: string,
  list: RequestedList,
  cursors: Cursors,
): Keyset {
  // An empty cursor requests the first page, as upstream does.
  if (!cursor) return { parameter, after: null };
  const after = cursors.open(nameOf(list), cursor);
  if (!after) throw invalidCursor(parameter);
  return { parameter, after };
}

/** The parameter of the next page: an id where the list has id filters [L467], else a cursor. */
export function nextParameter(
  list: RequestedList,
  params: Readonly<Record<string, unknown>>,
  position: KeysetPosition,
  cursors: Cursors,
): readonly [name: string, value: string] {
  const { endpoint } = list;
  const [id, ...others] = position.values;
  if ('id_after' in endpoint.params && others.length === 0)
    return [params.sort === 'asc' ? 'id_after' : 'id_before', String(id)];
  return [endpoint.cursor, cursors.seal(nameOf(list), position)];
}

const nameOf = ({ endpoint, pathParams }: RequestedList): string => JSON.stringify([endpoint.id, pathParams]);
