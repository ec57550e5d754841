import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { and, type Condition, not, or } from '@forgelog/eventing/query.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { Directory } from './directory.ts';

const NOBODY = 0;

/** Visible projects whose code is open to the caller, as a condition on project ids: guests of a private one see none. */
export async function openCode(
  directory: Pick<Directory, 'projectsWith' | 'projectsWithout'>,
  principal: Principal | null,
  field: string,
): Promise<Condition> {
  const open = not(await directory.projectsWithout('repository', principal, { archived: false, field }));
  const asReporter = await directory.projectsWith(principal, AccessLevel.reporter, field);
  if (asReporter === null) return open;
  // What the caller would see without being a member anywhere.
  const stranger = principal && { ...principal, userId: NOBODY, isAdmin: false };
  const visible = (await directory.projectsWith(stranger, 0, field)) ?? and();
  return and(open, or(asReporter, visible));
}
