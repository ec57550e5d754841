import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventStore } from '@forgelog/eventing/event-store.ts';
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

/** What whoever starts a host may bring besides its configuration. */
export interface HostSurroundings<C extends Configuration>
  extends Pick<HostPartsOptions<C>, 'configuration' | 'log' | 'observe'> {
  clock?: (() => Date) | undefined;
  deadlines?: Deadlines | undefined;
  /** Short id of the program's own revision. */
  revision?: string | undefined;
  /** Ends a start that is under way. */
  signal?: AbortSignal | undefined;
  /** What events leave through, in place of Kafka. */
  openFeed?: OpenFeed | undefined;
}

export interface HostOptions<C extends Configuration> extends HostSurroundings<C>, Composition<C> {
  /** In traces. */
  name: string;
  openStores: () => Promise<HostStores>;
  /** Whether stores that cannot be reached yet are waited for, behind the door. */
  storesMayBeAway?: boolean;
  /** Whose turn it is to react and to feed; always this host's unless given. */
  leases?: (stores: HostStores) => HostLeases;
  /** The service whose events leave here; those of all services unless given. */
  feedPart?: string;
  /** Whether this host is the first replica of its services, which prepares what they need. */
  isFirstReplica?: boolean;
  /** Refuses stores that a start must not go on with. */
  checkStores?: (stores: HostStores, parts: HostParts) => Promise<void>;
  /** What the composition opened itself; started before everything else and stopped after it. */
  resources?: readonly Stage[];
}

export interface RunningHost {
  /** Where it listens, without a slash at the end. */
  address: string;
  /** The address that clients are told, EXTERNAL_URL where it is set. */
  externalUrl: string;
  /** The first administrator's token, where this start made one. */
  madeToken: string | null;
  ports: ServicePorts;
  store: EventStore;
  projectors: Projectors;
  /** To Kafka, where it is configured and events leave here. */
  relay: FeedRelay | undefined;
  services: readonly Service[];
  projections: readonly Projection[];
  /** Readiness turns, requests in flight end, services and stores close: each within its deadline. */
  stop(): Promise<void>;
}
