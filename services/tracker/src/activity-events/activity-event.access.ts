import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { openCode } from '@forgelog/directory/open-code.ts';
import { and, type Condition, eq, has, or } from '@forgelog/eventing/query.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { openFeature } from '../targets/target.access.ts';
import type { TargetKind } from '../targets/target.ts';

/*
 * Which events a caller may read now, whatever they might have read when these happened: those of projects that they
 * may see, of the parts that are open to them, and of what is confidential only what is not so for them.
 */

/** The parts of a project that hold targets. */
const areasOf = (kinds: readonly TargetKind[]) => [...new Set(kinds.map(({ contract }) => contract.feature))];

export function readableInProject(
  { project, level, can }: ProjectGrant,
  principal: Principal | null,
  kinds: readonly TargetKind[],
): Condition {
  const asReporter = level >= AccessLevel.reporter ? and() : null;
  const areas = [eq('area', 'project')];
  if (can('repository')) areas.push(eq('area', 'repository'));
  for (const area of areasOf(kinds))
    if (can(area)) areas.push(and(eq('area', area), open(principal, asReporter)));
  return and(eq('projectId', project.id), or(...areas));
}

/** The events of all projects. */
export async function readableAcross(
  directory: Directory,
  principal: Principal | null,
  kinds: readonly TargetKind[],
): Promise<Condition> {
  const field = 'projectId';
  const seen = (await directory.projectsWith(principal, 0, field)) ?? and();
  const asReporter = (await directory.projectsWith(principal, AccessLevel.reporter, field)) ?? and();
  const areas = [
    eq('area', 'project'),
    and(eq('area', 'repository'), await openCode(directory, principal, 'projectId')),
  ];
  for (const area of areasOf(kinds)) {
    const shown = await openFeature(directory, principal, area, { archived: true });
    areas.push(and(eq('area', area), shown, open(principal, asReporter)));
  }
  return and(seen, or(...areas));
}

/** What is not confidential, or not for this caller. */
function open(principal: Principal | null, asReporter: Condition | null): Condition {
  return or(
    eq('confidential', false),
    ...(principal === null ? [] : [has('readerIds', principal.userId)]),
    ...(asReporter === null ? [] : [asReporter]),
  );
}

/** The projects that the caller is a member of, an administrator's too. */
export async function membersOnly(directory: Directory, principal: Principal): Promise<Condition> {
  const asMember = { ...principal, isAdmin: false };
  return (await directory.projectsWith(asMember, AccessLevel.guest, 'projectId')) ?? and();
}
