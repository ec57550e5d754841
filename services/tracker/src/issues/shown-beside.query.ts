import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { shownEpics } from '../epics/epics-of-issues.query.ts';
import { iterationsOfIssues } from '../iterations/iterations-of-issues.query.ts';
import { type CloserCounts, countClosers } from './issue-closers.query.ts';
import type { IssueDocument } from './issues.collection.ts';
import { readableMoves } from './readable-moves.query.ts';

/**
 * What issues show of other records, as far as the caller may see those.
 * @param closers what closes the issues, where that is known already
 */
export async function shownBeside(
  ports: ServicePorts,
  rows: readonly Readonly<IssueDocument>[],
  principal: Principal | null,
  closers?: CloserCounts,
) {
  return {
    closers: closers ?? (await countClosers(ports, rows, principal)),
    moves: await readableMoves(ports, rows, principal),
    epics: await shownEpics(ports, rows, principal),
    iterations: await iterationsOfIssues(ports, rows),
  };
}
