import { grantProject } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { iidOf } from '@forgelog/service-kit/project-place.ts';
import { readableIssue } from './issue.access.ts';
import { type IssueDocument, issues } from './issues.collection.ts';

/** `placeOf` those issues that moved ones go on as, and that the caller may see. */
export type ReadableMoves = ReadonlySet<number>;

const NO_MOVES: ReadableMoves = new Set();

/** @param rows those of one answer; nearly all have not moved */
export async function readableMoves(
  { readStore, directory }: Pick<ServicePorts, 'readStore' | 'directory'>,
  rows: readonly Readonly<Pick<IssueDocument, 'movedToPlace'>>[],
  principal: Principal | null,
): Promise<ReadableMoves> {
  const places = rows.flatMap(({ movedToPlace }) => movedToPlace ?? []);
  if (places.length === 0) return NO_MOVES;
  const readable = new Set<number>();
  for (const place of places) {
    const { projectId } = (await readStore.get(issues, place)) ?? {};
    const project = projectId ? await directory.project(projectId) : undefined;
    const grant = project && (await grantProject(project, principal, directory));
    if (grant?.can('issues') && (await readableIssue(readStore, grant, principal, iidOf(place))))
      readable.add(place);
  }
  return readable;
}

/** The id of the issue that a moved one goes on as, for who may see that. */
export const movedTo = (
  id: number | null,
  place: number | null,
  { moves }: { moves: ReadableMoves },
): number | null => (place !== null && moves.has(place) ? id : null);
