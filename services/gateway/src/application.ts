import { IncomingMessage, type RequestListener, type ServerOptions, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { RequestRecord } from './request-record.ts';

export interface Application {
  app: Express;
  /** What the server makes requests and responses of; see `createApplication`. */
  messages: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>;
}

/** A response on its way through the application, with what is known of its request. */
export type GatewayResponse = Response<unknown, { record: RequestRecord }>;

export type GatewayHandler = (request: Request, response: GatewayResponse, next: NextFunction) => void;

/**
 * An Express application that sends nothing of its own. Express gives each request and response the prototype of its
 * application, and an object whose prototype changes is slow ever after, which costs a small answer 4 µs. The server
 * makes them with that prototype, so that Express finds nothing to change.
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
 * Runs an application for a server. What nobody took, and every error, goes to `last`, in place of Express' own pages.
 * An address that Express cannot read comes there too, without having passed any middleware.
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
