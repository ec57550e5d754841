import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { and, asc, range } from '@forgelog/eventing/query.ts';
import { GitError } from '@forgelog/git/errors.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { createSweeper } from '@forgelog/service-kit/sweeper.ts';
import type { RepoPorts } from '../ports.ts';
import { releaseDecider, releaseStream } from './release.decider.ts';
import { prepareEvidence } from './release-evidence.commands.ts';
import { releases } from './releases.collection.ts';

const AT_ONCE = 100;

/**
 * Collects evidence of releases that came out since, each once: the decider finds none due that has evidence, so a second
 * process, or a repeat, changes nothing. Those of other storages are left to their own instances.
 */
export async function collectDueEvidence(ports: RepoPorts, signal: AbortSignal): Promise<void> {
  const { readStore, commands, directory, storages, log } = ports;
  const now = ports.clock().toISOString();
  for (let last = 0; ; ) {
    const due = await readStore.find(releases, {
      where: and(range('evidenceDueAt', { lte: now }), range('id', { gt: last })),
      sort: [asc('id')],
      limit: AT_ONCE,
      select: ['id', 'projectId', 'tagName', 'milestoneIds'],
    });
    for (const { projectId, tagName, milestoneIds } of due) {
      if (signal.aborted) return;
      if ((await directory.project(projectId))?.storage !== storages.own) continue;
      try {
        const evidence = await prepareEvidence(ports, projectId, tagName, milestoneIds);
        const command = { type: 'CollectDueEvidence' as const, projectId, tagName, now, evidence };
        await commands.handle(releaseDecider, releaseStream(projectId, tagName), command, SYSTEM_METADATA);
      } catch (error) {
        // One damaged repository must not hold up others; the next sweep tries again.
        if (!(error instanceof GitError) || signal.aborted) throw error;
        log.warn({ err: error, projectId, tagName }, 'evidence of a release was not collected');
      }
    }
    if (due.length < AT_ONCE) return;
    last = due.at(-1)!.id;
  }
}

export const dueEvidenceSweeper = (ports: RepoPorts): Worker =>
  createSweeper(ports, 'evidence of releases', (signal) => collectDueEvidence(ports, signal));
