/**
 * The error table: every way in which a request can be refused, with its status and the body that clients of
 * this API family read (`message` first, then `error`; companions.md 1.1). Deciders and routes throw
 * `new Rejection(code, details)`; only the table knows HTTP.
 */

interface ErrorRow<Details> {
  status: number;
  body(details: Details): object | string;
}

const row = <Details>(status: number, body: (details: Details) => object | string): ErrorRow<Details> => ({
  status,
  body,
});

export const errorTable = {
  // 400: what was sent
  /** Parameters that are missing, empty or not of their type; the texts name each, joined by `, `. */
  invalid_parameters: row(400, (d: { problems: readonly string[] }) => ({ error: d.problems.join(', ') })),
  /** A resource that would not be valid: field → what is wrong with it. */
  validation_failed: row(400, (d: { fields: Readonly<Record<string, readonly string[]>> }) => ({
    message: d.fields,
  })),
  bad_request: row(400, (d: { reason: string }) => ({ message: `400 Bad request - ${d.reason}` })),
  /** A refusal whose whole text clients know. */
  refused: row(400, (d: { message: string }) => ({ message: d.message })),
  /** A group that could not be created: clients know this one as Ruby prints a hash (companions.md 2.4). */
  group_not_saved: row(400, (d: { fields: Readonly<Record<string, readonly string[]>> }) => ({
    message: `Failed to save group {${Object.entries(d.fields)
      .map(([name, texts]) => `:${name}=>[${texts.map((text) => JSON.stringify(text)).join(', ')}]`)
      .join(', ')}}`,
  })),
  malformed_body: row(400, (d: { reason: string }) => ({ error: d.reason })),

  // 401, 403: who asked
  unauthorized: row(401, () => ({ message: '401 Unauthorized' })),
  forbidden: row(403, (d: { reason?: string }) => ({
    message: d.reason ? `403 Forbidden - ${d.reason}` : '403 Forbidden',
  })),
  /** A limit of the account is reached. */
  limit_reached: row(403, (d: { problems: readonly string[] }) => ({ error: d.problems })),
  sudo_needs_admin: row(403, () => ({ message: '403 Forbidden - Must be admin to use sudo' })),
  insufficient_scope: row(403, (d: { scopes: readonly string[] }) => ({
    error: 'insufficient_scope',
    error_description: 'The request requires higher privileges than provided by the access token.',
    scope: d.scopes.join(' '),
  })),

  // 404, 405: what was asked for
  /** A thing with a name of its own: `404 Project Not Found`. */
  not_found: row(404, (d: { what: string }) => ({ message: `404 ${d.what} Not Found` })),
  /** A record looked up by its number inside a project or group. */
  record_not_found: row(404, () => ({ message: '404 Not found' })),
  sudo_user_not_found: row(404, (d: { user: string }) => ({
    message: `404 User with ID or username '${d.user}' Not Found`,
  })),
  unknown_route: row(404, () => ({ error: '404 Not Found' })),
  method_not_allowed: row(405, () => ({ error: '405 Not Allowed' })),
  offset_too_large: row(405, (d: { type: string }) => ({
    error:
      'Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type ' +
      `${d.type}. Remaining records can be retrieved using keyset pagination.`,
  })),

  // 409 and the rest
  conflict: row(409, (d: { message?: string | readonly string[] }) => ({
    message: d.message ?? '409 Conflict',
  })),
  precondition_failed: row(412, () => ({ message: '412 Precondition Failed' })),
  too_large: row(413, (d: { what: string }) => ({ message: `413 Request Entity Too Large - ${d.what}` })),
  unsupported_media_type: row(415, (d: { type: string }) => ({
    error: `The content type ${d.type} is not one of application/json, application/x-www-form-urlencoded, multipart/form-data`,
  })),
  unsupported_encoding: row(415, (d: { encoding: string }) => ({
    error: `The content encoding ${d.encoding} is not one of gzip, identity`,
  })),
  unprocessable: row(422, (d: { message: string | readonly string[] }) => ({ message: d.message })),
  too_many_requests: row(429, () => ({
    message: { error: 'This endpoint has been requested too many times. Try again later.' },
  })),
  internal: row(500, () => ({ message: '500 Internal Server Error' })),
  unavailable: row(503, (d: { reason: string }) => ({ message: `503 Service Unavailable - ${d.reason}` })),
} as const;

export type ErrorCode = keyof typeof errorTable;
export type ErrorDetails<Code extends ErrorCode> = Parameters<(typeof errorTable)[Code]['body']>[0];

/** A refusal with a row in the table. `headers` go out with it (Retry-After, WWW-Authenticate). */
export class Rejection<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'Rejection';
  readonly code: Code;
  readonly details: ErrorDetails<Code>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: Code,
    ...[details, headers]: undefined extends ErrorDetails<Code>
      ? [details?: ErrorDetails<Code>, headers?: Record<string, string>]
      : [details: ErrorDetails<Code>, headers?: Record<string, string>]
  ) {
    super(code);
    this.code = code;
    this.details = details as ErrorDetails<Code>;
    this.headers = headers ?? {};
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  get body(): object | string {
    return (errorTable[this.code].body as (details: unknown) => object | string)(this.details);
  }
}
