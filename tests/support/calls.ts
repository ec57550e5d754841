import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { errorTable } from '@forgelog/contracts/error-table.ts';
import { otherStatusesOf, refusalsOf } from '@forgelog/contracts/statuses.ts';
import { z } from 'zod';

/** What came back: JSON bodies parsed, others as text. */
export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape.
  body: any;
  text: string;
}

export interface CallOptions {
  token?: string | null;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form. */
  form?: Record<string, string>;
  body?: string | Buffer | FormData | URLSearchParams;
  headers?: Record<string, string>;
}

/** How tests speak to a Forgelog: over its socket. */
export interface Calls {
  /** Calls `/api/v4` + path, as root unless told otherwise (`token: null`: anonymous). */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  get(path: string, options?: CallOptions): Promise<Reply>;
  /** Sends the body as JSON, or as the form that it is. */
  post(path: string, body?: unknown, options?: CallOptions): Promise<Reply>;
  put(path: string, body?: unknown, options?: CallOptions): Promise<Reply>;
  delete(path: string, options?: CallOptions): Promise<Reply>;
}

export const ROOT_TOKEN = 'root-token-of-the-tests-1234';

/** Calls to what listens at `address`; what broke its contract meanwhile fails the call. */
export function callsTo(address: string, broken: string[]): Calls {
  const call: Calls['call'] = async (method, path, given = {}) => {
    const headers: Record<string, string> = { ...given.headers };
    const token = given.token === undefined ? ROOT_TOKEN : given.token;
    if (token !== null) headers['PRIVATE-TOKEN'] = token;
    let { body } = given;
    if (given.json !== undefined) {
      headers['Content-Type'] = 'application/json';
      body = JSON.stringify(given.json);
    } else if (given.form) body = new URLSearchParams(given.form);
    const response = await fetchAgain(`${address}/api/v4${path}`, {
      method,
      headers,
      body,
      redirect: 'manual',
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    if (broken.length > 0) throw new Error(broken.splice(0).join('\n'));
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : text,
    };
  };
  return callsBy(call);
}

/**
 * A server may close an idle connection just as a request is sent on it (RFC 9112, 9.3.1). A reader repeats that once.
 * Nothing else is repeated: `fetch` does not tell an idle connection from one that broke later.
 */
async function fetchAgain(address: string, request: RequestInit & { method: string }): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    const wasClosed = code === 'ECONNRESET' || code === 'UND_ERR_SOCKET';
    if (!wasClosed || !['GET', 'HEAD'].includes(request.method)) throw error;
    return fetch(address, request);
  }
}

const sent = (body: unknown): CallOptions => (body instanceof FormData ? { body } : { json: body });

/** Every way to call, by `call`. */
export const callsBy = (call: Calls['call']): Calls => ({
  call,
  get: (path, given) => call('GET', path, given),
  post: (path, body, given) => call('POST', path, { ...sent(body), ...given }),
  put: (path, body, given) => call('PUT', path, { ...sent(body), ...given }),
  delete: (path, given) => call('DELETE', path, given),
});

/**
 * What an answer breaks of its contract, null when it keeps it: a status that the contract does not name, or a body of
 * another shape. `body` is null where there is none, or none in JSON.
 */
export function holdAgainstContract(
  endpoint: AnyEndpoint,
  status: number,
  body: string | null,
): string | null {
  const answered = `${endpoint.id} answered ${status}`;
  const succeeded = status === endpoint.status || (status === 200 && endpoint.otherStatuses.includes(200));
  const shape =
    endpoint.otherResponses[status] ?? (succeeded ? endpoint.response : refusalShape(endpoint, status));
  if (shape === undefined) return `${answered}, which its contract does not name`;
  if (shape === null)
    return body === null || body === '' ? null : `${answered} with a body where none belongs`;
  const parsed = shape.safeParse(body === null ? undefined : JSON.parse(body));
  if (parsed.success) return null;
  const issues = parsed.error.issues.slice(0, 8).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return `${answered} against its contract:\n  ${issues.join('\n  ')}\n  ${body?.slice(0, 400)}`;
}

/** null: no body; undefined: the endpoint does not answer so. */
function refusalShape(endpoint: AnyEndpoint, status: number): z.ZodType | null | undefined {
  if (!otherStatusesOf(endpoint).includes(status)) return undefined;
  const codes = refusalsOf(status);
  return codes.length === 0 ? null : z.union(codes.map((code) => errorTable[code].view));
}
