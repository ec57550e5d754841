import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { cursorParams, DEFAULT_PER_PAGE, pageParams } from '@forgelog/contracts/page.params.ts';
import { decodeParams, type RawRecord } from '@forgelog/contracts/params.ts';
import { type Cursors, invalidCursor, type Keyset, type Place } from './cursor.ts';
import { type PageRequest, pageRequest } from './pagination.ts';

/** A list that is asked for; its filters are not part of it, so a caller may go on with others. */
interface Asked {
  endpoint: AnyEndpoint;
  pathParams: Readonly<Record<string, string | undefined>>;
}

export const NO_PAGE: PageRequest = { number: 1, size: DEFAULT_PER_PAGE, offset: 0, keyset: null };

/**
 * The page of a list that a request asks for; what is wrong with its parameters is added to `problems`.
 * @throws 400 for a cursor that is none, or another list's
 */
export function requestedPage(
  asked: Asked,
  raw: RawRecord,
  problems: string[],
  cursors: Cursors,
): PageRequest {
  const params = decodeParams(pageParams, raw, problems);
  if (params.pagination !== 'keyset') return problems.length > 0 ? NO_PAGE : pageRequest(params);
  const parameter = asked.endpoint.cursor;
  const given: { cursor?: string; page_token?: string } = decodeParams(
    cursorParams[parameter],
    raw,
    problems,
  );
  if (problems.length > 0) return NO_PAGE;
  return { ...pageRequest(params), keyset: keysetAfter(given[parameter], parameter, asked, cursors) };
}

function keysetAfter(cursor: string | undefined, parameter: string, asked: Asked, cursors: Cursors): Keyset {
  // An empty one asks for the first page, as upstream has it.
  if (!cursor) return { parameter, after: null };
  const after = cursors.open(nameOf(asked), cursor);
  if (!after) throw invalidCursor(parameter);
  return { parameter, after };
}

/** How a link says where the next page begins: by id where the list has filters for that [L467], else by a cursor. */
export function nextParameter(
  asked: Asked,
  params: Readonly<Record<string, unknown>>,
  place: Place,
  cursors: Cursors,
): readonly [name: string, value: string] {
  const { endpoint } = asked;
  const [id, ...others] = place.values;
  if ('id_after' in endpoint.params && others.length === 0)
    return [params.sort === 'asc' ? 'id_after' : 'id_before', String(id)];
  return [endpoint.cursor, cursors.seal(nameOf(asked), place)];
}

const nameOf = ({ endpoint, pathParams }: Asked): string => JSON.stringify([endpoint.id, pathParams]);
