/** Packs repositories as they grow: docs/adr/0017-repositories-are-packed-as-they-grow.md. */

import { GitCancelledError } from '@forgelog/git/errors.ts';
import type { PackBounds } from '@forgelog/git/packs/packing.ts';
import type { Configuration } from '@forgelog/service-kit/configuration.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import type { Metrics } from '@forgelog/service-kit/telemetry/metrics.ts';
import { LRUCache } from 'lru-cache';
import type { Repositories } from './repositories.ts';

export interface Housekeeping {
  /** Queues a repository for packing if it holds too many objects or packs. */
  consider(projectId: number, found: PackBounds): void;
  /** Queues a repository whatever it holds, unless it is queued or being packed already. */
  request(projectId: number): 'queued' | 'running' | 'off';
  /** Cancels the running packing and waits for it. */
  stop(): Promise<void>;
}

/**
 * A commit of one file writes three to five objects, so this is some 300 commits: half a second to pack. git's own
 * bound of 6,700 is for interactive use.
 */
const BOUNDS: PackBounds = { looseObjects: 1_000, packs: 50 };
/** Where people ask: everything loose, and all packs but one. */
const ASKED: PackBounds = { looseObjects: 1, packs: 1 };
/** Milliseconds without a retry after a failure. */
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
  const asked = new Set<number>();
  const failedAt = new LRUCache<number, number>({ max: 2_000 });
  let work: Promise<void> = Promise.resolve();

  async function pack(projectId: number, upTo: PackBounds): Promise<void> {
    waiting.delete(projectId);
    if (stopping.signal.aborted) return;
    const begin = performance.now();
    const seconds = () => Math.round(performance.now() - begin) / 1000;
    try {
      const packed = await repositories.of(projectId).pack(upTo, stopping.signal);
      if (packed.looseObjects === 0 && packed.packs === 0) return;
      log.info({ projectId, ...packed, seconds: seconds() }, 'repository packed');
      observe('packed', seconds(), packed.looseObjects);
    } catch (error) {
      // Cancelled by stop, or by the project's removal.
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
      work = work.then(() => pack(projectId, bounds));
    },
    request(projectId) {
      if (asked.has(projectId)) return 'running';
      asked.add(projectId);
      work = work.then(() => pack(projectId, ASKED)).finally(() => asked.delete(projectId));
      return 'queued';
    },
    async stop() {
      stopping.abort();
      await work;
    },
  };
}

export const NO_HOUSEKEEPING: Housekeeping = {
  consider: () => {},
  request: () => 'off',
  stop: async () => {},
};

function packingMetrics(metrics: Metrics) {
  const durations = metrics.histogram({
    name: 'forgelog_packing_duration_seconds',
    help: 'Time that packing a repository took, by how it ended: packed, failed.',
    labels: ['outcome'],
    buckets: [0.1, 0.5, 1, 5, 15, 60, 300, 1800],
  });
  // Create both series now, so that the first failure shows as an increase.
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
