import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { PackageType } from '@forgelog/contracts/repo/packages/package.values.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import type { Authorizer, ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { PackageIdentity } from './package.decider.ts';
import { type PackageRow, packages } from './packages.projection.ts';

/** @throws record_not_found where the project has no such package */
export async function requirePackage(
  readStore: Pick<ReadStore, 'get'>,
  { project }: ProjectGrant,
  id: number,
): Promise<PackageRow> {
  const row = await readStore.get(packages, id);
  if (row?.projectId !== project.id) throw new Rejection('record_not_found');
  return row;
}

export const identityOf = ({ projectId, packageType, name, version }: PackageRow): PackageIdentity => ({
  ...{ projectId, packageType: packageType as PackageType, name, version },
});

export const mayDeletePackages = ({ level, project }: ProjectGrant): boolean =>
  level >= AccessLevel.maintainer && project.readOnly === null;

/** The projects of a group, subgroups included unless they are not wanted, whose packages the caller may read. */
export async function projectsWithReadablePackages(
  { directory, authorizer }: { directory: Directory; authorizer: Authorizer },
  { groupId, direct, principal }: { groupId: number; direct: boolean; principal: Principal | null },
): Promise<ProjectGrant[]> {
  const found: ProjectGrant[] = [];
  for (const id of await directory.projectsBelow(groupId)) {
    const grant = await authorizer.project(String(id), principal);
    if (grant?.can('packages') && (!direct || grant.project.namespaceId === groupId)) found.push(grant);
  }
  return found;
}
