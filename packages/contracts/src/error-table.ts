import { z } from 'zod';
import { defineView, messageView } from './views.ts';

/**
 * Every refusal with its status, its meaning for the reference, and the body that clients of this API family read:
 * `message` first, then `error` (companions.md 1.1).
 */

interface ErrorRow<Details> {
  status: number;
  /** For the reference. */
  meaning: string;
  view: z.ZodType;
  example: Details;
  body(details: Details): object;
}

type Fields = Readonly<Record<string, readonly string[]>>;

const errorView = defineView('ErrorText', { error: z.string() });
const errorsView = defineView('ErrorTexts', { error: z.array(z.string()) });
const messagesView = defineView('Messages', { message: z.union([z.string(), z.array(z.string())]) });
const fieldErrorsView = defineView('FieldErrors', { message: z.record(z.string(), z.array(z.string())) });
const scopeErrorView = defineView('InsufficientScope', {
  error: z.literal('insufficient_scope'),
  error_description: z.string(),
  scope: z.string(),
});
const oauthErrorView = defineView('OauthError', {
  error: z.literal('invalid_token'),
  error_description: z.string(),
});
const notAppliedView = defineView('NotApplied', {
  message: z.string(),
  error_code: z.enum(['conflict', 'empty']),
  dry_run: z.literal('error').optional(),
});
const lostPositionView = defineView('LostPosition', { message: z.string(), after: z.string() });
const limitErrorView = defineView('TooManyRequestsMessage', { message: errorView });

const row = <Details>(
  status: number,
  meaning: string,
  view: z.ZodType,
  example: Details,
  body: (details: Details) => object,
): ErrorRow<Details> => ({ status, meaning, view, example, body });

/** A refusal with a constant body. */
const fixed = (status: number, meaning: string, view: z.ZodType, text: object) =>
  row<undefined>(status, meaning, view, undefined, () => text);

export const errorTable = {
  // 400: invalid input
  invalid_parameters: row(
    400,
    'Parameters are missing, empty or not of their type; the text names each.',
    errorView,
    { problems: ['title is missing', 'weight is invalid'] as readonly string[] },
    (d) => ({ error: d.problems.join(', ') }),
  ),
  validation_failed: row(
    400,
    'The record would not be valid: each field with what is wrong with it.',
    fieldErrorsView,
    { fields: { title: ["can't be blank"] } as Fields },
    (d) => ({ message: d.fields }),
  ),
  bad_request: row(
    400,
    'The request cannot be carried out as it is.',
    messageView,
    { reason: 'name must be unique' },
    (d) => ({ message: `400 Bad request - ${d.reason}` }),
  ),
  /** A refusal with a text that clients recognise. */
  refused: row(
    400,
    'The text says why it is refused.',
    messageView,
    { message: 'A file with this name already exists' },
    (d) => ({ message: d.message }),
  ),
  not_applied: row(
    400,
    'A commit does not fit on the branch (`conflict`), or would change nothing there (`empty`).',
    notAppliedView,
    { message: 'Sorry, we cannot revert this commit automatically.', code: 'conflict', dryRun: false } as {
      message: string;
      code: 'conflict' | 'empty';
      dryRun: boolean;
    },
    (d) => ({ message: d.message, error_code: d.code, ...(d.dryRun && { dry_run: 'error' }) }),
  ),
  /** Clients expect the text of a printed Ruby hash (companions.md 2.4). */
  group_not_saved: row(
    400,
    'The group could not be created.',
    messageView,
    { fields: { path: ['has already been taken'] } as Fields },
    (d) => ({
      message: `Failed to save group {${Object.entries(d.fields)
        .map(([name, texts]) => `:${name}=>[${texts.map((text) => JSON.stringify(text)).join(', ')}]`)
        .join(', ')}}`,
    }),
  ),
  malformed_body: row(
    400,
    'The body cannot be read as what its content type says.',
    errorView,
    { reason: 'The body is not valid JSON' },
    (d) => ({ error: d.reason }),
  ),

  // 401, 403: the caller
  unauthorized: fixed(401, 'Credentials are missing, wrong or expired.', messageView, {
    message: '401 Unauthorized',
  }),
  /** Clients of OAuth 2 get another token with their refresh token then. */
  invalid_token: fixed(401, 'An OAuth access token expired, was revoked or never existed.', oauthErrorView, {
    error: 'invalid_token',
    error_description: 'The access token expired, was revoked or never existed.',
  }),
  forbidden: row(
    403,
    'The caller may not do this.',
    messageView,
    { reason: undefined } as { reason?: string },
    (d) => ({ message: d.reason ? `403 Forbidden - ${d.reason}` : '403 Forbidden' }),
  ),
  limit_reached: row(
    403,
    'A limit of the account is reached.',
    errorsView,
    { problems: ['Your project limit is 0 projects'] as readonly string[] },
    (d) => ({ error: d.problems }),
  ),
  sudo_needs_admin: fixed(403, 'Only administrators may act as somebody else.', messageView, {
    message: '403 Forbidden - Must be admin to use sudo',
  }),
  insufficient_scope: row(
    403,
    'The token has none of the scopes that this call needs.',
    scopeErrorView,
    { scopes: ['api', 'read_api'] as readonly string[] },
    (d) => ({
      error: 'insufficient_scope',
      error_description: 'The request requires higher privileges than provided by the access token.',
      scope: d.scopes.join(' '),
    }),
  ),

  // 404, 405: the resource
  /** A named resource: `404 Project Not Found`. */
  not_found: row(
    404,
    'It does not exist, or the caller may not see it.',
    messageView,
    { what: 'Project' },
    (d) => ({ message: `404 ${d.what} Not Found` }),
  ),
  /** A record looked up by its number inside a project or group. */
  record_not_found: fixed(404, 'The record does not exist, or the caller may not see it.', messageView, {
    message: '404 Not found',
  }),
  /** Tells nothing of what is missing. */
  nothing_found: fixed(404, 'The project has no such token, or there is no such project.', messageView, {
    message: '404 Not Found',
  }),
  sudo_user_not_found: row(
    404,
    'The user to act as does not exist.',
    messageView,
    { user: 'nobody' },
    (d) => ({ message: `404 User with ID or username '${d.user}' Not Found` }),
  ),
  unknown_route: fixed(404, 'The address is none of this API.', errorView, { error: '404 Not Found' }),
  method_not_allowed: fixed(
    405,
    'The address does not take this method; the header Allow names those that it takes.',
    errorView,
    { error: '405 Not Allowed' },
  ),
  /** Clients read the text (companions.md 2.8). */
  merge_not_allowed: fixed(
    405,
    'The merge request is not open, is a draft, or does not meet a condition of its project.',
    messageView,
    { message: '405 Method Not Allowed' },
  ),
  artifacts_disabled: fixed(405, 'Artifacts are switched off on this instance.', messageView, {
    message: '405 Method Not Allowed',
  }),
  not_mergeable: fixed(
    406,
    'The branch conflicts with its target, or cannot be merged as it is.',
    messageView,
    {
      message: 'Branch cannot be merged',
    },
  ),
  offset_too_large: row(
    405,
    'The page is too far from the beginning; keyset pages go on from there.',
    errorView,
    { type: 'Project' },
    (d) => ({
      error:
        'Offset pagination has a maximum allowed offset of 50000 for requests that return objects of type ' +
        `${d.type}. Remaining records can be retrieved using keyset pagination.`,
    }),
  ),

  // 409 and the rest
  conflict: row(
    409,
    'It is there already, or somebody else changed it at the same time.',
    messagesView,
    { message: 'Member already exists' } as { message?: string | readonly string[] },
    (d) => ({ message: d.message ?? '409 Conflict' }),
  ),
  not_forked: row(
    409,
    'The fork would not be a valid project: each field with what is wrong with it.',
    fieldErrorsView,
    { fields: { path: ['has already been taken'] } as Fields },
    (d) => ({ message: d.fields }),
  ),
  position_lost: row(
    410,
    'The log was restored from a backup that ends before this position. Undo what is beyond `after`, and go on there.',
    lostPositionView,
    { after: 'p6d2f9a10-0000000-0000000000000042' },
    (d) => ({
      message: d.after
        ? '410 Gone - The log was restored, and the events after `after` were taken back'
        : '410 Gone - The log was restored, and no earlier position holds: begin again at the first event',
      after: d.after,
    }),
  ),
  precondition_failed: fixed(
    412,
    'It changed after the moment that If-Unmodified-Since names, or a log has another checksum than its agent told.',
    messageView,
    { message: '412 Precondition Failed' },
  ),
  too_large: row(
    413,
    'What was sent is larger than this call takes.',
    messageView,
    { what: 'the body is larger than 2097152 bytes' },
    (d) => ({ message: `413 Request Entity Too Large - ${d.what}` }),
  ),
  address_too_long: fixed(414, 'The address is longer than 65536 characters.', errorView, {
    error: 'The request address is too long',
  }),
  unsupported_media_type: row(
    415,
    'The body is of a content type that this API does not take.',
    errorView,
    { type: 'text/xml' },
    (d) => ({
      error: `The content type ${d.type} is not one of application/json, application/x-www-form-urlencoded, multipart/form-data`,
    }),
  ),
  unsupported_encoding: row(
    415,
    'The body is compressed in a way that this API does not take.',
    errorView,
    { encoding: 'br', taken: 'gzip, identity' },
    (d) => ({ error: `The content encoding ${d.encoding} is not one of ${d.taken}` }),
  ),
  unprocessable: row(
    422,
    'The request is understood and cannot be carried out.',
    messagesView,
    { message: 'Failed to create the changelog' } as { message: string | readonly string[] },
    (d) => ({ message: d.message }),
  ),
  branches_refused: row(
    422,
    'The two branches cannot be merged into each other.',
    errorsView,
    { problems: ["You can't use same project/branch for source and target"] as readonly string[] },
    (d) => ({ error: d.problems }),
  ),
  /** Clients read the text (companions.md 2.3). */
  hook_refused: row(
    422,
    'The hook cannot be kept as it is: its address or its filter of branches is no good.',
    errorView,
    { message: 'Invalid url given' },
    (d) => ({ error: d.message }),
  ),
  head_too_large: fixed(
    431,
    'The address and the headers together are longer than the server takes, 16 KiB.',
    errorView,
    {
      error: 'The head of the request is too large',
    },
  ),
  too_many_requests: fixed(
    429,
    'The caller has asked too often; the header Retry-After says after how many seconds to try again.',
    limitErrorView,
    { message: { error: 'This endpoint has been requested too many times. Try again later.' } },
  ),
  internal: fixed(500, 'A defect of the server; the header X-Request-Id finds it in the log.', messageView, {
    message: '500 Internal Server Error',
  }),
  unavailable: row(
    503,
    'The server cannot answer just now; the header Retry-After, where it is there, says when to try again.',
    messageView,
    { reason: 'the log cannot be written' },
    (d) => ({ message: `503 Service Unavailable - ${d.reason}` }),
  ),
} as const;
