import { randomUUID } from 'node:crypto';
import { endpoints, resources } from '@forgelog/contracts/endpoints.ts';
import { knownIdentity } from '@forgelog/eventing/log-identity.ts';
import { identityBeside } from '@forgelog/eventing/stream-identity.ts';
import type { Edge, EdgePorts, Hosted } from '@forgelog/host/edge.ts';
import { refuseClient } from '@forgelog/host/listener.ts';
import type { GitTransport } from '@forgelog/service-kit/git-transport.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { createOwnFailures } from '@forgelog/service-kit/sign-in-failures.ts';
import { tracedDelivery } from '@forgelog/service-kit/telemetry/traced-followers.ts';
import { createAccessLog, NO_ACCESS_LOG } from './access-log/access-log.ts';
import { createApplication } from './application.ts';
import { createAuthentication } from './authentication.ts';
import { createBasicAuthentication } from './basic-authentication.ts';
import { clientAddresses } from './client-address.ts';
import { mayCollaborate } from './collaboration.access.ts';
import { createGateway } from './gateway.ts';
import { createGatewayService, EVENT_STREAM } from './gateway-service.ts';
import { serveGit } from './git-http.ts';
import { oauthClientsProjection } from './oauth/oauth-clients.projection.ts';
import { serveOauth } from './oauth/serve-oauth.ts';
import { createSharedFailures } from './shared-failures.ts';
import { createSignIns } from './sign-ins.ts';
import { createThrottleCounts } from './throttles/throttle-counts.ts';
import { createThrottleExchange } from './throttles/throttle-exchange.ts';
import { createThrottles } from './throttles/throttles.ts';
import { createTokenUses } from './token-uses.ts';

interface Routes {
  dispatch: Hosted['dispatch'];
  transport: GitTransport;
}

const MINUTE_MS = 60_000;

/** Builds the edge of a host. Requests go to the services of the same host unless `route` sends them elsewhere. */
export function gatewayEdge(route: (ports: EdgePorts, hosted: Hosted) => Routes = toHosted): Edge {
  const { app, messages } = createApplication();
  return {
    server: messages,
    refuse: refuseClient,
    notReady: refuseClient,
    callersEndIdle: false,
    create(ports) {
      const { catalogue, clock, directory, externalUrl, revision, store, telemetry } = ports;
      const { configuration, readStore } = ports.ports;
      const { authorizer, barrier, log, registers } = ports;
      const instanceKey = lazyInstanceKey(configuration);
      const authentication = createAuthentication({
        ...{ readStore, directory, instanceKey, configuration, clock },
      });
      const identity = knownIdentity(store);
      const accessStream = ports.accessLog && {
        stream: ports.accessLog,
        identity: identityBeside(identity, ports.accessLog, clock),
      };
      const accessLog = accessStream
        ? createAccessLog({ ...accessStream, catalogue, clock, log, directory, authorizer })
        : NO_ACCESS_LOG;
      const tokenUses = createTokenUses({
        ...{ clock, log, operations: ports.ports.operations },
        pauseMs: configuration.TOKEN_USE_MINUTES * MINUTE_MS,
      });
      const service = createGatewayService({
        ...{
          store,
          identity,
          catalogue,
          resources,
          externalUrl,
          revision,
          accessStream,
          accessLog,
          tokenUses,
        },
        edition: configuration.EDITION,
        projections: [...authentication.projections, oauthClientsProjection],
        ...{ directory, authorizer, clock, log, metrics: telemetry.metrics },
        instanceKey,
        async renewedAt(subscriber, position) {
          await ports.caughtUp(position);
          return authentication.renew(subscriber);
        },
        async renewed(subscriber) {
          await barrier();
          return authentication.renew(subscriber);
        },
        onSent: tracedDelivery(EVENT_STREAM, { tracer: telemetry.tracer, clock }),
      });
      const now = () => performance.now();
      const time = () => clock().getTime();
      const exchange =
        registers && createThrottleExchange({ registers, holder: randomUUID(), now: time, log });
      const failures = registers
        ? createSharedFailures({ registers, instanceKey, now: time, log })
        : createOwnFailures(now);
      const signIns = createSignIns({ accessLog, directory, log, tokenUses, failures });
      const throttles = createThrottles({
        ...{ directory, log, metrics: telemetry.metrics, now: time },
        counts: createThrottleCounts(time, exchange),
      });
      return {
        services: [service],
        feeds: () =>
          service
            .eventStreams()
            .map(({ isOpen, ...stream }) => ({ ...stream, ...(isOpen && { feed: EVENT_STREAM }) })),
        handler(hosted) {
          const { dispatch, transport } = route(ports, hosted);
          const basic = createBasicAuthentication({ authentication, directory, readStore, signIns, now });
          return createGateway({
            ...{
              app,
              endpoints,
              authentication,
              dispatch,
              barrier,
              log,
              telemetry,
              accessLog,
              signIns,
              directory,
              now,
            },
            edition: configuration.EDITION,
            throttles,
            clientAddressOf: clientAddresses(configuration),
            pages: ports.pages,
            oauth: serveOauth({
              ...{ authentication, basic, barrier, readStore, signIns, instanceKey, externalUrl, clock },
              operations: ports.ports.operations,
            }),
            git: serveGit({
              ...{ authorizer, transport, barrier, log, accessLog, signIns, throttles },
              operations: ports.ports.operations,
              basic,
              mayCollaborate: ({ project, userId }) => mayCollaborate(directory, project.id, userId),
              formerProject: async (path) => (await directory.projectByFormerPath(path))?.id,
            }),
          });
        },
      };
    },
  };
}

/** @throws Error if no service of the host has repositories */
function toHosted(_: EdgePorts, { dispatch, transport }: Hosted): Routes {
  if (!transport)
    throw new Error('a gateway needs a service with repositories, in its own host or in another');
  return { dispatch, transport };
}
