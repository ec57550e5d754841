import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { RequestRecord } from './request-record.ts';

export interface Application {
  app: Express;
  messages: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
}

export type GatewayResponse = Response<unknown, { record: RequestRecord }>;

export type GatewayHandler = (request: Request, response: GatewayResponse, next: NextFunction) => void;

/**
 * Creates an Express application that sends nothing of its own. Express sets the prototype of each request and
 * response, which slows an object down by 4 µs. The server creates them with that prototype, so nothing changes.
 */
export function createApplication(): Application {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.enable('case sensitive routing').enable('strict routing');
  class AppMessage extends IncomingMessage {}
  class AppResponse extends ServerResponse {}
  Object.setPrototypeOf(AppMessage.prototype, app.request);
  Object.setPrototypeOf(AppResponse.prototype, app.response);
  app.request = AppMessage.prototype as unknown as Express['request'];
  app.response = AppResponse.prototype as unknown as Express['response'];
  return {
    app,
    messages: { IncomingMessage: AppMessage, ServerResponse: AppResponse as typeof ServerResponse },
  };
}

/**
 * Runs an application for a server. `last` handles errors and unrouted requests in place of Express' own pages. An
 * address that Express cannot parse reaches `last` without passing any middleware.
 */
export function listenerOf(
  app: Express,
  last: (error: unknown, request: Request, response: Response) => void,
): RequestListener {
  const handle = app as unknown as (request: Request, response: Response, next: NextFunction) => void;
  return (request, response) => {
    const asked = request as Request;
    const answered = response as Response;
    handle(asked, answered, (error) => last(error, asked, answered));
  };
}

const NO_HEADERS = Object.freeze({});
const NONE = Object.freeze([]);

/**
 * Forgets what Express and the headers of a request need memory for, once its answer is open: thousands of such answers
 * may wait for days. Node and the line of the log need none of it.
 */
export function forgetIfOpen(request: Request, { headersSent, writableEnded }: Response): void {
  if (!headersSent || writableEnded) return;
  Object.assign(request, {
    ...{ headers: NO_HEADERS, rawHeaders: NONE, params: NO_HEADERS },
    ...{ next: undefined, res: undefined, _parsedUrl: undefined },
  });
}
