/** Packs repositories as they grow, so that nobody has to: docs/adr/0017-repositories-are-packed-as-they-grow.md. */

import { GitCancelledError } from '@forgelog/git/errors.ts';
import type { PackBounds } from '@forgelog/git/packs/packing.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Metrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import { LRUCache } from 'lru-cache';
import type { Repositories } from './repositories.ts';

export interface Housekeeping {
  /** Takes note of what a repository holds. One that holds too much is packed when its turn comes. */
  consider(projectId: number, found: PackBounds): void;
  /** Ends what runs, and resolves when nothing of it is left. */
  stop(): Promise<void>;
}

/**
 * A commit of one file through the API makes three to five objects, so this is some 300 of them: packed in half a second,
 * and a folder of objects has four files. git's own 6,700 are for people who sit before it.
 */
const BOUNDS: PackBounds = { looseObjects: 1_000, packs: 50 };
/** A repository that could not be packed is left alone for so long: what was wrong with it will not be gone sooner. */
const PAUSE_MS = 3_600_000;

export function createHousekeeping(ports: {
  repositories: Pick<Repositories, 'of' | 'isDeleted'>;
  log: Pick<Logger, 'info' | 'error'>;
  metrics: Metrics;
  clock: () => Date;
  configuration: Pick<Configuration, 'REPOSITORY_HOUSEKEEPING'>;
  bounds?: PackBounds;
}): Housekeeping {
  const { repositories, log, clock, bounds = BOUNDS } = ports;
  if (ports.configuration.REPOSITORY_HOUSEKEEPING === 'off') return NO_HOUSEKEEPING;
  const observe = packingMetrics(ports.metrics);
  const stopping = new AbortController();
  const waiting = new Set<number>();
  const failedAt = new LRUCache<number, number>({ max: 2_000 });
  let work: Promise<void> = Promise.resolve();

  async function pack(projectId: number): Promise<void> {
    waiting.delete(projectId);
    if (stopping.signal.aborted) return;
    const begin = performance.now();
    const seconds = () => Math.round(performance.now() - begin) / 1000;
    try {
      const packed = await repositories.of(projectId).pack(bounds, stopping.signal);
      if (packed.looseObjects === 0 && packed.packs === 0) return;
      log.info({ projectId, ...packed, seconds: seconds() }, 'repository packed');
      observe('packed', seconds(), packed.looseObjects);
    } catch (error) {
      // Stopped, by us or by the removal of the project.
      if (error instanceof GitCancelledError || (await repositories.isDeleted(projectId))) return;
      failedAt.set(projectId, clock().getTime());
      log.error({ err: error, projectId, seconds: seconds() }, 'repository not packed');
      observe('failed', seconds(), 0);
    }
  }

  return {
    consider(projectId, found) {
      if (found.looseObjects < bounds.looseObjects && found.packs <= bounds.packs) return;
      if (waiting.has(projectId) || clock().getTime() - (failedAt.get(projectId) ?? -PAUSE_MS) < PAUSE_MS)
        return;
      waiting.add(projectId);
      work = work.then(() => pack(projectId));
    },
    async stop() {
      stopping.abort();
      await work;
    },
  };
}

/** What an operator switched off. */
export const NO_HOUSEKEEPING: Housekeeping = { consider: () => {}, stop: async () => {} };

function packingMetrics(metrics: Metrics) {
  const durations = metrics.histogram({
    name: 'forgelog_packing_duration_seconds',
    help: 'Time that packing a repository took, by how it ended: packed, failed.',
    labels: ['outcome'],
    buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 1800],
  });
  // There from the start, so that the first failure shows as an increase.
  const took = { packed: durations.of('packed'), failed: durations.of('failed') };
  const objects = metrics
    .counter({
      name: 'forgelog_packed_objects_total',
      help: 'Loose objects of repositories that went into packs.',
    })
    .of();
  return (outcome: 'packed' | 'failed', seconds: number, looseObjects: number) => {
    took[outcome].observe(seconds);
    objects.add(looseObjects);
  };
}
