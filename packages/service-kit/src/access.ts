import type { ProjectFeature, RoleName } from '@forgelog/contracts/endpoint.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import type { Principal } from './principal.ts';

export type Visibility = 'private' | 'internal' | 'public';
export type FeatureLevel = 'disabled' | 'private' | 'enabled' | 'public';

/** What everybody who serves a request on a project needs to know of it. */
export interface ProjectSummary {
  id: number;
  namespaceId: number;
  /** User id of a personal namespace's owner, null in a group. */
  ownerId: number | null;
  name: string;
  path: string;
  fullPath: string;
  visibility: Visibility;
  archived: boolean;
  defaultBranch: string | null;
  /** Name of the storage that holds the repository. */
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
}

/** A project that the caller may see, with what he may do in it. */
export interface ProjectGrant {
  project: ProjectSummary;
  /** His access level, inherited ones included: 0 for none, 50 for an owner and for an administrator. */
  level: number;
  /** Whether the feature is open to him. */
  can(feature: ProjectFeature): boolean;
}

export interface GroupGrant {
  group: GroupSummary;
  level: number;
}

/**
 * Port: rights as of now, at once where they are at hand. undefined stands for "does not exist or may not be seen",
 * which nobody can tell apart.
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
