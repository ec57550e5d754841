import { endpoints } from '@forgelog/contracts/endpoints.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import { type ProcessOptions, type RunningProcess, startProcess } from '@forgelog/host/process.ts';
import { createCursors } from '@forgelog/service-kit/cursor.ts';
import { createDispatcher } from '@forgelog/service-kit/dispatcher.ts';
import { logFailure } from '@forgelog/service-kit/failure-log.ts';
import { lazyInstanceKey } from '@forgelog/service-kit/instance-key.ts';
import { createReferenceResolver } from '@forgelog/service-kit/references.ts';
import { checkImplementations } from '@forgelog/service-kit/service.ts';
import { remoteGitTransport } from '@forgelog/service-kit/split/remote-git-transport.ts';
import { tracedDelivery } from '@forgelog/service-kit/telemetry/traced-followers.ts';
import { createApplication } from './application.ts';
import { createArchiveLimit } from './archive-limit.ts';
import { createAuthentication } from './authentication.ts';
import { createBasicAuthentication } from './basic-authentication.ts';
import { createGateway } from './gateway.ts';
import { createGatewayService, EVENT_STREAM } from './gateway-service.ts';
import { serveGit } from './git-http.ts';
import { createRemoteDispatcher } from './remote-dispatcher.ts';
import { createServiceAddresses } from './service-addresses.ts';

/** The gateway by itself: it finds the services by their addresses. */
export function startGatewayProcess(options: ProcessOptions): Promise<RunningProcess> {
  const { configuration, log, revision = 'unknown' } = options;
  const { app, messages } = createApplication();
  return startProcess('gateway', { ...options, messages }, (base) => {
    const { store, catalogue, directory, client, clock, barrier, position, telemetry } = base;
    const { readStore } = base.ports;
    const externalUrl = configuration.EXTERNAL_URL;
    const authentication = createAuthentication({ readStore, directory });
    const service = createGatewayService({
      store,
      catalogue,
      endpoints,
      externalUrl,
      revision,
      edition: configuration.EDITION,
      projections: [authentication.projection],
      onSent: tracedDelivery(EVENT_STREAM, { tracer: telemetry.tracer, clock }),
    });
    checkImplementations(service, endpoints);
    const authorizer = createAuthorizer(directory);
    const addresses = createServiceAddresses(configuration, { authorizer, log });
    const now = () => performance.now();
    const git = serveGit({
      basic: createBasicAuthentication({ authentication, directory, readStore, now }),
      authorizer,
      transport: remoteGitTransport({
        client,
        urlOf: addresses.repository,
        newRepository: addresses.newRepository,
        position,
      }),
      barrier,
      formerProject: async (path) => (await directory.projectByFormerPath(path))?.id,
      log,
    });
    const own = createDispatcher({
      cursors: createCursors(lazyInstanceKey(configuration)),
      services: [service],
      authorizer,
      resolver: createReferenceResolver(directory.references),
      clock,
      externalUrl,
      onError: logFailure(log),
      observe: options.observe,
      tracer: telemetry.tracer,
    });
    return {
      service,
      feeds: () => service.eventStreams().map((position) => ({ feed: EVENT_STREAM, position })),
      handler: createGateway({
        app,
        endpoints,
        edition: configuration.EDITION,
        authentication,
        archiveLimit: createArchiveLimit(),
        dispatch: createRemoteDispatcher({ client, own, destination: addresses.endpoint, position }),
        barrier,
        pages: base.health,
        git,
        log,
        telemetry,
      }),
    };
  });
}
