import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { AnyEndpoint } from '../endpoint.ts';
import { errorTable } from '../error-table.ts';
import type { JsonSchema } from '../params.ts';
import { otherStatusesOf, refusalsOf } from '../statuses.ts';
import { exampleOf } from './view-examples.ts';

/** Responses by status: the success, and the others in the contract. */
export function responsesOf(endpoint: AnyEndpoint): JsonSchema {
  const others = otherStatusesOf(endpoint).map((status) => [status, otherResponse(endpoint, status)]);
  return { [endpoint.status]: success(endpoint), ...Object.fromEntries(others) };
}

function otherResponse(endpoint: AnyEndpoint, status: number): JsonSchema {
  const response = endpoint.otherResponses[status];
  if (response) return success({ ...endpoint, status, response });
  switch (status) {
    case 200:
      return { ...success(endpoint), description: MEANINGS[status] };
    case 202:
    case 204:
      return { ...success({ ...endpoint, response: null }), description: MEANINGS[status] };
    case 206:
      return { ...success(endpoint), description: 'The bytes that the header Range asks for' };
    case 304:
      return unchangedResponse(endpoint);
    case 416:
      return { description: 'Nothing lies at the place that was asked for. No body' };
    default:
      return { $ref: `#/components/responses/${nameOf(status)}` };
  }
}

const MEANINGS: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Done: what was made or changed',
  202: 'Accepted: the work goes on after this answer',
  204: 'Done, no body',
  302: 'Another address has it, no body',
};

function success(endpoint: AnyEndpoint): JsonSchema {
  const { status, response, mediaTypes, headers } = endpoint;
  const content = response
    ? { 'application/json': { schema: response, example: exampleOf(response) } }
    : Object.fromEntries(mediaTypes.map((type) => [type, { schema: rawContent(type) }]));
  const described = {
    ...Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, header(text)])),
    ...pageHeaders(endpoint),
  };
  return {
    description: MEANINGS[status],
    ...(Object.keys(described).length > 0 ? { headers: described } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

/** A media type of JSON that others define is an object to clients. */
function rawContent(type: string): JsonSchema {
  if (type.endsWith('+json')) return { type: 'object' };
  return type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
}

function unchangedResponse({ method }: AnyEndpoint): JsonSchema {
  return method === 'GET'
    ? { $ref: '#/components/responses/NotModified' }
    : { description: 'Nothing to do: it is so already. No body' };
}

const header = (description: string, schema: JsonSchema = { type: 'string' }): JsonSchema => ({
  description,
  schema,
});
const whole = { type: 'integer' };
/** A page number; empty where there is no such page. */
const pageNumber = { type: 'string', pattern: '^[0-9]*$' };

const PAGE_HEADERS: Readonly<Record<string, JsonSchema>> = {
  Link: header('Addresses of the next, previous, first and last page'),
  'X-Page': header('Number of this page', whole),
  'X-Per-Page': header('Most records on a page', whole),
  'X-Next-Page': header('Number of the next page, empty on the last one', pageNumber),
  'X-Prev-Page': header('Number of the page before, empty on the first one', pageNumber),
};
const TOTAL_HEADERS: Readonly<Record<string, JsonSchema>> = {
  'X-Total': header('Number of records; left out beyond 10000', whole),
  'X-Total-Pages': header('Number of pages; left out beyond 10000 records', whole),
};

function pageHeaders({ pagination }: AnyEndpoint): JsonSchema {
  if (pagination === 'none') return {};
  return references('headers', [
    ...Object.keys(PAGE_HEADERS),
    ...(pagination === 'commits' ? [] : Object.keys(TOTAL_HEADERS)),
  ]);
}

const references = (kind: string, names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/${kind}/${name}` }]));

const RETRY_AFTER = { 'Retry-After': header('Seconds after which to try again', whole) };
/** They come where a throttle of the settings or a limit of one endpoint refuses. */
const THROTTLED = {
  ...RETRY_AFTER,
  'RateLimit-Name': header('Name of the throttle'),
  'RateLimit-Limit': header('Requests that it admits in a minute', whole),
  'RateLimit-Observed': header('Requests of the caller in the present period', whole),
  'RateLimit-Remaining': header('Requests that are left, which is none', whole),
  'RateLimit-Reset': header('End of the period, in seconds since 1970', whole),
  'RateLimit-ResetTime': header('The same as a date of HTTP'),
};
const REFUSAL_HEADERS: Readonly<Record<number, JsonSchema>> = {
  405: {
    Allow: header('The methods that the address takes; absent where the method is not what is refused'),
  },
  429: THROTTLED,
  503: RETRY_AFTER,
};

export function sharedResponses(): { headers: JsonSchema; responses: JsonSchema } {
  const statuses = new Set(Object.values(errorTable).map(({ status }) => status));
  return {
    headers: { ...PAGE_HEADERS, ...TOTAL_HEADERS },
    responses: {
      NotModified: {
        description: 'The header If-None-Match names the ETag of the answer, so the caller has it. No body',
      },
      ...Object.fromEntries([...statuses].map((status) => [nameOf(status), refusal(status)])),
    },
  };
}

/** One status with its rows of the error table: meaning, schema and example. */
function refusal(status: number): JsonSchema {
  const codes = refusalsOf(status);
  const views = [...new Set(codes.map((code) => errorTable[code].view))];
  const examples = codes.map((code) => {
    const { meaning, body, example } = errorTable[code];
    return [code, { summary: meaning, value: (body as (details: unknown) => object)(example) }];
  });
  return {
    description: `${STATUS_CODES[status]}.\n${codes.map((code) => `- ${errorTable[code].meaning}\n`).join('')}`,
    ...(REFUSAL_HEADERS[status] ? { headers: REFUSAL_HEADERS[status] } : {}),
    content: {
      'application/json': {
        schema: views.length === 1 ? views[0] : z.union(views),
        examples: Object.fromEntries(examples),
      },
      // A throttle of all requests answers with the text of the settings.
      ...(status === 429 && { 'text/plain': { schema: { type: 'string' }, example: 'Retry later' } }),
    },
  };
}

/** 404 → NotFound. */
const nameOf = (status: number): string => STATUS_CODES[status]!.replace(/\W/g, '');
