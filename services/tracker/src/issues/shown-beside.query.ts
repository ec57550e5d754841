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
  const found = closers ?? (await countClosers(ports, rows, principal));
  // An await takes a turn, and most issues name none of these.
  let moves = readableMoves(ports, rows, principal);
  if (moves instanceof Promise) moves = await moves;
  let epics = shownEpics(ports, rows, principal);
  if (epics instanceof Promise) epics = await epics;
  let iterations = iterationsOfIssues(ports, rows);
  if (iterations instanceof Promise) iterations = await iterations;
  return { closers: found, moves, epics, iterations };
}
