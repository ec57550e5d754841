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

/**
 * What services ask of each other. In one process these are plain calls; distributed they are internal endpoints.
 * A service never imports another.
 */
export interface Peers {
  /** One page of the projects of a group as the caller may see them: an answer of the repo service. */
  projectsOfGroup(request: {
    groupId: number;
    /** Projects shared with the group instead of its own. */
    shared: boolean;
    /** Decoded parameters of the listing [L423, L424]. */
    filters: Readonly<Record<string, unknown>>;
    page: PageRequest;
    principal: Principal | null;
  }): Promise<Answer>;
}

/** What every service is made of. A slice takes those that it needs. */
export interface ServicePorts {
  readStore: ReadStore;
  commands: CommandHandler;
  ids: IdAllocator;
  directory: Directory;
  clock: () => Date;
  configuration: Configuration;
  /** The external address of the instance as JSON text holds it, without a slash at the end. */
  host: string;
  log: Logger;
  peers: Peers;
  metrics: Metrics;
}
