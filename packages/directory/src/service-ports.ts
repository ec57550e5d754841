import type { CommandHandler } from '@forgelog/eventing/command-handler.ts';
import type { IdAllocator } from '@forgelog/eventing/id-allocator.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Directory } from './directory.ts';

/** What every service is made of. A slice takes those that it needs. */
export interface ServicePorts {
  readStore: ReadStore;
  commands: CommandHandler;
  ids: IdAllocator;
  directory: Directory;
  clock: () => Date;
  configuration: Configuration;
  log: Logger;
}
