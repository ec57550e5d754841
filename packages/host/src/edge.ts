import type { IncomingMessage, RequestListener, ServerOptions, ServerResponse } from 'node:http';
import type { Rejection } from '@forgelog/contracts/errors.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import type { Authorizer } from '@forgelog/service-kit/access.ts';
import type { Exchange } from '@forgelog/service-kit/dispatcher.ts';
import type { GitTransport } from '@forgelog/service-kit/git-transport.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import type { Telemetry } from '@forgelog/service-kit/telemetry/telemetry.ts';
import type { CoreServices } from './core-services.ts';

/** What the edge of a host is made from: what its services have, and where the read models are. */
export interface EdgePorts extends CoreServices {
  store: EventStore;
  clock: () => Date;
  log: Logger;
  /** Where clients find the system, without a slash at the end. */
  externalUrl: string;
  /** Short id of the program's own revision. */
  revision: string;
  telemetry: Telemetry;
  authorizer: Authorizer;
  /** Everything up to here is in the read models of this host. */
  position: () => Position;
  /** Resolves when the read models of this host reflect a position. @throws ProjectionLagError */
  settled: (position: Position) => Promise<void>;
  /** Resolves when they reflect all that the log held at the time of the call. @throws ProjectionLagError */
  barrier: () => Position | Promise<Position>;
  /** Health and metrics: for anyone. True when it took the request. */
  pages: (request: IncomingMessage, response: ServerResponse, path: string) => boolean;
}

/** What the services of a host offer its edge. */
export interface Hosted {
  /** Serves an exchange with one of the host's services. */
  dispatch: (exchange: Exchange) => void | Promise<void>;
  /** git's exchange, where one of them has repositories. */
  transport: GitTransport | undefined;
  /** What other services may ask of them. */
  operations: readonly OperationImplementation[];
}

/** How a host meets its callers: the gateway, or what the gateway calls. */
export interface Edge {
  /** What the HTTP server is made with. */
  server: ServerOptions;
  /** Refuses what no handler can answer: before the host is ready, or too late. */
  refuse: (response: ServerResponse, rejection: Rejection) => void;
  create(ports: EdgePorts): {
    /** Services of the edge itself. */
    services: readonly Service[];
    /** What leaves the system through the edge, and how far it came. */
    feeds(): { feed: string; position: Position }[];
    handler(hosted: Hosted): RequestListener;
  };
}
