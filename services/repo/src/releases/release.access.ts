import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { RepoPorts } from '../ports.ts';

/**
 * Guests of a private project see its releases and not its code. A closed repository closes its releases, too.
 * @throws 403
 */
export function requireReadable({ project, level }: ProjectGrant): void {
  const setting = project.features.repository;
  if (setting === 'disabled' || (setting === 'private' && level === 0)) throw new Rejection('forbidden', {});
}

/** A release needs the right to create its tag. @throws 403 */
export async function requireReleaser(
  { refAccess }: Pick<RepoPorts, 'refAccess'>,
  grant: ProjectGrant,
  tagName: string,
): Promise<void> {
  const access = await refAccess(grant);
  if (!access.mayMove(`refs/tags/${tagName}`, 'create')) throw new Rejection('forbidden', {});
}
