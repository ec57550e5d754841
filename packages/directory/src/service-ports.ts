import type { CommandHandler } from '@forgelog/eventing/command-handler.ts';
import type { IdAllocator } from '@forgelog/eventing/id-allocator.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { PageRequest } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { Metrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import type { Directory } from './directory.ts';

/** Calls between services, which never import each other: local, or internal endpoints across processes. */
export interface Peers {
  /** One page of a group's projects that the caller may see, from the repo service. */
  projectsOfGroup(request: {
    groupId: number;
    /** True for projects shared with the group, instead of its own. */
    shared: boolean;
    /** Decoded parameters of the listing [L423, L424]. */
    filters: Readonly<Record<string, unknown>>;
    page: PageRequest;
    principal: Principal | null;
  }): Promise<Answer>;
}

export interface ServicePorts {
  readStore: ReadStore;
  commands: CommandHandler;
  ids: IdAllocator;
  directory: Directory;
  clock: () => Date;
  configuration: Configuration;
  /** The external URL as a JSON string, without a trailing slash. */
  host: string;
  log: Logger;
  peers: Peers;
  metrics: Metrics;
}
