import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { RefUpdated, RepositoryMoved } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import type { DiskUse } from '@forgelog/git/disk-use.ts';
import { projects } from '../projects/project.collection.ts';
import type { Storages } from '../projects/storages.ts';
import { isGitClosed } from './git-busy.ts';
import type { Repositories } from './repositories.ts';
import { statisticsDecider, statisticsStream } from './repository-statistics.decider.ts';

const MAX_COMMITS = 1_000_000;
/** Milliseconds to debounce: a measurement starts two processes, so a burst of moves is measured once. */
const REST_MS = 100;
const README = /^readme(\.(md|markdown|mdown|mkd|rst|adoc|asciidoc|org|txt|textile|rdoc|html))?$/i;

/** Moves after which a busy repository is measured anyway. */
const MOST_SKIPPED = 500;

/**
 * Measures sizes, commits and README of this storage's repositories after refs moved, and when they come from another. `measured` receives the result.
 */
export function repositoryStatistics(
  ports: Pick<ServicePorts, 'commands' | 'readStore' | 'log' | 'clock'> & {
    repositories: Repositories;
    storages: Storages;
    measured(projectId: number, found: DiskUse): void;
  },
): { measure: (projectId: number, metadata: EventMetadata) => Promise<void>; policy: Policy } {
  const { commands, readStore, log, repositories, storages } = ports;

  const skipped = new Map<number, number>();

  async function measure(projectId: number, metadata: EventMetadata): Promise<void> {
    const repository = repositories.of(projectId);
    const head = await repository.resolveRevision('HEAD');
    const [use, commitCount, readmePath] = await Promise.all([
      repository.diskUse(),
      head ? repository.countCommits({ range: { include: [head.oid], exclude: [] } }, MAX_COMMITS) : 0,
      head ? readmeOf(projectId, head.oid) : null,
    ]);
    ports.measured(projectId, use);
    const measured = { projectId, repositorySize: use.bytes, commitCount: commitCount ?? 0, readmePath };
    const command = { type: 'RecordMeasure' as const, measured };
    await commands.handle(statisticsDecider, statisticsStream(projectId), command, metadata);
  }

  async function readmeOf(projectId: number, commitOid: string): Promise<string | null> {
    const tree = await repositories.of(projectId).tree(commitOid, { limit: 1000 });
    const names = tree?.entries.filter(({ type, name }) => type === 'blob' && README.test(name));
    const best = names?.find(({ name }) => /\.(md|markdown)$/i.test(name)) ?? names?.[0];
    return best?.name ?? null;
  }

  return {
    measure,
    policy: definePolicy({
      name: 'repository-statistics',
      handles: [RefUpdated, RepositoryMoved],
      actsAs: 'system',
      async react(event, { metadata, signal }) {
        const { projectId } = event.data;
        // Count from the event's time, or a backlog of moves would wait for each one.
        const age = ports.clock().getTime() - Date.parse(event.time);
        if (age < REST_MS) await sleep(REST_MS - Math.max(0, age));
        const project = await readStore.get(projects, projectId);
        if (project?.repositoryStorage !== storages.own) return;
        // Only the newest move of an existing repository is worth measuring.
        if (project.gone) return;
        const isArrival = event.type === 'RepositoryMoved';
        const moves = (skipped.get(projectId) ?? 0) + 1;
        skipped.set(projectId, moves);
        if (!isArrival && project.lastRefEvent !== event.id && moves < MOST_SKIPPED) return;
        skipped.delete(projectId);
        await repositories.idle(projectId);
        try {
          await measure(projectId, metadata);
        } catch (error) {
          // The service stopped before its policies: the next start measures.
          if (isGitClosed(error)) {
            if (!signal.aborted) await once(signal, 'abort');
            throw error;
          }
          // A missing figure must not hold up others. A deleted project needs none.
          if (!(await repositories.isDeleted(projectId)))
            log.error({ err: error, projectId }, 'repository not measured');
        }
      },
    }),
  };
}
