import type { ProjectFeature, RoleName } from '@forgelog/contracts/endpoint.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import type { Principal } from './principal.ts';

export type Visibility = 'private' | 'internal' | 'public';
export type FeatureLevel = 'disabled' | 'private' | 'enabled' | 'public';

export type ReadOnlyCause = 'archived' | 'deletion' | 'group deletion';

export const READ_ONLY: Readonly<Record<ReadOnlyCause, string>> = {
  archived: 'The project is archived',
  deletion: 'The project is marked for deletion',
  'group deletion': 'A group above the project is marked for deletion',
};

export interface ProjectSummary {
  id: number;
  namespaceId: number;
  /** User id of a personal namespace's owner, null in a group. */
  ownerId: number | null;
  name: string;
  path: string;
  fullPath: string;
  visibility: Visibility;
  readOnly: ReadOnlyCause | null;
  defaultBranch: string | null;
  storage: string;
  features: Readonly<Record<ProjectFeature, FeatureLevel>>;
}

export interface GroupSummary {
  id: number;
  parentId: number | null;
  name: string;
  path: string;
  fullPath: string;
  visibility: Visibility;
  isMarked: boolean;
}

/** A project that the caller may see, with their rights in it. */
export interface ProjectGrant {
  project: ProjectSummary;
  /** Access level, inherited ones included: 0 for none, 50 for owners and administrators. */
  level: number;
  /** null for an anonymous caller. */
  userId: number | null;
  isAdmin: boolean;
  can(feature: ProjectFeature): boolean;
}

export interface GroupGrant {
  group: GroupSummary;
  level: number;
}

/**
 * Port: current rights, synchronous from memory. Callers must not tell "does not exist" from "hidden": both are
 * undefined.
 */
export interface Authorizer {
  project(
    idOrPath: string,
    principal: Principal | null,
  ): ProjectGrant | undefined | Promise<ProjectGrant | undefined>;
  group(idOrPath: string, principal: Principal | null): Promise<GroupGrant | undefined>;
}

export function levelOf(role: RoleName): number {
  return AccessLevel[role];
}
