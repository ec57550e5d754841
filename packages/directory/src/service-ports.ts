import type { CommandHandler } from '@forgelog/eventing/command-handler.ts';
import type { History } from '@forgelog/eventing/history.ts';
import type { IdAllocator } from '@forgelog/eventing/id-allocator.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { ObjectStore } from '@forgelog/object-store/object-store.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Operations } from '@forgelog/service-kit/operations.ts';
import type { Metrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import type { Directory } from './directory.ts';

export interface ServicePorts {
  readStore: ReadStore;
  commands: CommandHandler;
  ids: IdAllocator;
  history: History;
  directory: Directory;
  clock: () => Date;
  configuration: Configuration;
  /** The external URL as a JSON string, without a trailing slash. */
  host: string;
  log: Logger;
  operations: Operations;
  /** Artifacts, logs of jobs and uploads. */
  objects: ObjectStore;
  metrics: Metrics;
}
