import type { IncomingMessage, RequestListener, ServerOptions, ServerResponse } from 'node:http';
import type { Rejection } from '@forgelog/contracts/errors.ts';
import type { Position } from '@forgelog/eventing/event.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import type { ExpiringStream } from '@forgelog/eventing/expiring-stream.ts';
import type { Registers } from '@forgelog/eventing/registers.ts';
import type { Authorizer } from '@forgelog/service-kit/access.ts';
import type { Exchange } from '@forgelog/service-kit/dispatcher.ts';
import type { GitTransport } from '@forgelog/service-kit/git-transport.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import type { FollowingFeed } from '@forgelog/service-kit/telemetry/lag-metrics.ts';
import type { Telemetry } from '@forgelog/service-kit/telemetry/telemetry.ts';
import type { CoreServices } from './core-services.ts';

export interface EdgePorts extends CoreServices {
  store: EventStore;
  /** The stream of the access log; undefined where it is off, or in hosts without a gateway. */
  accessLog?: ExpiringStream | undefined;
  /** Shared with the other replicas; undefined where there are none. */
  registers?: Registers | undefined;
  clock: () => Date;
  log: Logger;
  /** Without a trailing slash. */
  externalUrl: string;
  revision: string;
  telemetry: Telemetry;
  authorizer: Authorizer;
  position: () => Position;
  /** Resolves when the read models reflect a position. @throws ProjectionLagError */
  caughtUp: (position: Position) => Promise<void>;
  /** Resolves when the read models reflect the end of the log at the time of the call. @throws ProjectionLagError */
  barrier: () => Position | Promise<Position>;
  /** Health and metrics pages. Returns true when it took the request. */
  pages: (request: IncomingMessage, response: ServerResponse, path: string) => boolean;
}

export interface Hosted {
  dispatch: (exchange: Exchange) => void | Promise<void>;
  /** undefined where no service of the host has repositories. */
  transport: GitTransport | undefined;
  operations: readonly OperationImplementation[];
}

/** The HTTP side of a host: the gateway, or the internal API that the gateway calls. */
export interface Edge {
  server: ServerOptions;
  /** Refuses a request that was looked at, and whose answer is too late. */
  refuse: (response: ServerResponse, rejection: Rejection) => void;
  /** Refuses a request that nobody looks at, since the host is not ready. */
  notReady: (response: ServerResponse, rejection: Rejection) => void;
  /** Whether callers keep connections for a second at most, so that a stop can let them end these. */
  callersEndIdle: boolean;
  create(ports: EdgePorts): {
    services: readonly Service[];
    /** Feeds that the edge serves, each with the position that it reached. */
    feeds(): FollowingFeed[];
    handler(hosted: Hosted): RequestListener;
  };
}
