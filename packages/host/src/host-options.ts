import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
import type { ExpiringStream } from '@forgelog/eventing/expiring-stream.ts';
import type { FeedRelay } from '@forgelog/eventing/feed-relay.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import type { Projectors } from '@forgelog/eventing/projector.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import type { Deadlines } from '@forgelog/service-kit/deadlines.ts';
import type { Service } from '@forgelog/service-kit/service.ts';
import type { Composition, HostParts, HostPartsOptions, HostStores } from './host-parts.ts';
import type { OpenFeed } from './kafka-relay.ts';
import type { HostLeases } from './leases.ts';
import type { Stage } from './stages.ts';

export interface HostSurroundings<C extends Configuration>
  extends Pick<HostPartsOptions<C>, 'configuration' | 'log' | 'observe'> {
  clock?: (() => Date) | undefined;
  deadlines?: Deadlines | undefined;
  revision?: string | undefined;
  signal?: AbortSignal | undefined;
  openFeed?: OpenFeed | undefined;
}

export interface HostOptions<C extends Configuration> extends HostSurroundings<C>, Composition<C> {
  name: string;
  openStores: () => Promise<HostStores>;
  /** Whether the log and the read models are files in DATA_DIR, which must not fill its disk. */
  storesInDataDir?: boolean;
  /** Whether a start retries until its stores can be reached, instead of failing. */
  storesMayBeAway?: boolean;
  /** Leases on policies and feeds; by default this host always holds them. */
  leases?: (stores: HostStores) => HostLeases;
  /** The service whose events this host publishes; by default those of all services. */
  feedPart?: string;
  /** The first replica of a service prepares what the service needs. */
  isFirstReplica?: boolean;
  checkStores?: (stores: HostStores, parts: HostParts) => Promise<void>;
  /** Runs before the projections begin: the read models may be replaced. */
  beforeProjecting?: (running: ProjectingHost) => Promise<void>;
  /** Pages for other processes, also before the host is ready. */
  page?: HostPartsOptions<C>['pages'];
  problems?: () => readonly string[];
  /** Opened by the composition; started first and stopped last. */
  resources?: readonly Stage[];
}

export interface ProjectingHost extends HostStores, Pick<HostParts, 'projections'> {
  projectors: Pick<Projectors, 'status'>;
}

export interface RunningHost {
  /** Without a trailing slash. */
  address: string;
  /** EXTERNAL_URL where it is set, else `address`. */
  externalUrl: string;
  madeToken: string | null;
  ports: ServicePorts;
  store: EventStore;
  /** undefined where it is off, or without a gateway. */
  accessLog: ExpiringStream | undefined;
  projectors: Projectors;
  /** undefined where no Kafka is configured or another host publishes. */
  relay: FeedRelay | undefined;
  /** Publishes the access log; undefined likewise, and where there is none. */
  accessRelay: FeedRelay | undefined;
  services: readonly Service[];
  projections: readonly Projection[];
  /** Fails readiness, drains requests, then stops services and stores, each within its deadline. */
  stop(): Promise<void>;
}
