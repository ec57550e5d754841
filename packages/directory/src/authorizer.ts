import type { ProjectFeature } from '@forgelog/contracts/endpoint.ts';
import type {
  Authorizer,
  FeatureLevel,
  GroupGrant,
  ProjectGrant,
  ProjectSummary,
  ReadOnlyCause,
  Visibility,
} from '@forgelog/service-kit/access.ts';
import {
  callerKey,
  type DeployTokenReach,
  type Principal,
  userIdOf,
} from '@forgelog/service-kit/principal.ts';
import type { DirectoryNamespace, DirectoryProject } from './collections.ts';
import { DerivedCache } from './derived-cache.ts';
import type { Directory } from './directory.ts';

/** A number or a full path [L22]; digits alone are a number. */
export function parseIdOrPath(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

/** True if `visibility` alone grants access [L111]. */
export function isOpenTo(visibility: Visibility, principal: Principal | null): boolean {
  if (visibility === 'public') return true;
  return visibility === 'internal' && principal !== null && !principal.external;
}

const REPORTER = 20;
const DEVELOPER = 30;
/** The least level that sees what is marked for deletion. */
const OWNER = 50;

const GRANTS = 50_000;

export function createAuthorizer(directory: Directory): Authorizer {
  const grants = new DerivedCache<string, ProjectGrant>(directory, GRANTS);
  return {
    project: (idOrPath, principal) =>
      grants.read(`${callerKey(principal)} ${idOrPath}`, async () => {
        const parsed = parseIdOrPath(idOrPath);
        const project =
          typeof parsed === 'number'
            ? await directory.project(parsed)
            : await directory.projectByPath(parsed);
        return project && grantProject(project, principal, directory);
      }),
    async group(idOrPath, principal) {
      const parsed = parseIdOrPath(idOrPath);
      const group =
        typeof parsed === 'number'
          ? await directory.namespace(parsed)
          : await directory.namespaceByPath(parsed);
      return group?.kind === 'group' ? grantGroup(group, principal, directory) : undefined;
    },
  };
}

/** The caller's rights in a project; undefined if they may not see it. */
export async function grantProject(
  project: DirectoryProject,
  principal: Principal | null,
  directory: Directory,
): Promise<ProjectGrant | undefined> {
  let level = 0;
  if (principal?.deployToken) {
    level = reachesProject(principal.deployToken, project) ? levelOfToken(principal.deployToken) : 0;
    // A deploy token is for its place alone, and not for what everybody sees.
    if (level === 0) return undefined;
  } else if (principal?.isAdmin) level = 50;
  else if (principal) level = await directory.projectLevel(principal.userId, project);
  const visibility = project.visibility as Visibility;
  const isOpen = isOpenTo(visibility, principal);
  if (level === 0 && !isOpen) return undefined;
  const marked = await directory.marked();
  const isMarked = marked.projects.has(project.id);
  if (isMarked && level < OWNER) return undefined;
  const readOnly = isMarked ? (project.deletionDueAt === null ? 'group deletion' : 'deletion') : null;
  const features = project.features as Record<ProjectFeature, FeatureLevel>;
  const can = (feature: ProjectFeature): boolean => {
    const setting = features[feature];
    if (setting === 'disabled') return false;
    // Guests of a private project see its issues but not its code, nor what is built of it.
    if ((feature === 'repository' || feature === 'packages') && !isOpen && level < REPORTER) return false;
    // A merge request shows code.
    if (feature === 'merge_requests' && !can('repository')) return false;
    return setting !== 'private' || level > 0;
  };
  const userId = userIdOf(principal);
  const isAdmin = principal?.isAdmin ?? false;
  const summary = summaryOf(project, readOnly ?? (project.archived ? 'archived' : null));
  return { project: summary, level, userId, isAdmin, can };
}

/** A deploy token of a group opens what is below it, wherever that was moved. */
const reachesProject = ({ projectId, groupId }: DeployTokenReach, project: DirectoryProject): boolean =>
  projectId === project.id || (groupId !== null && (project.ancestors ?? []).includes(groupId));

const reachesGroup = ({ groupId }: DeployTokenReach, group: DirectoryNamespace): boolean =>
  groupId !== null && (group.ancestors ?? []).includes(groupId);

const levelOfToken = ({ scopes }: DeployTokenReach): number =>
  scopes.includes('write_package_registry') ? DEVELOPER : REPORTER;

async function grantGroup(
  group: DirectoryNamespace,
  principal: Principal | null,
  directory: Directory,
): Promise<GroupGrant | undefined> {
  let level = 0;
  if (principal?.deployToken) {
    level = reachesGroup(principal.deployToken, group) ? levelOfToken(principal.deployToken) : 0;
    if (level === 0) return undefined;
  } else if (principal?.isAdmin) level = 50;
  else if (principal) level = await directory.groupLevel(principal.userId, group.id);
  if (level === 0 && !isOpenTo(group.visibility as Visibility, principal)) {
    // Members of something below may see the groups above it.
    if (!principal || !(await isMemberBelow(group.id, principal.userId, directory))) return undefined;
  }
  const isMarked = (await directory.marked()).groups.has(group.id);
  if (isMarked && level < OWNER) return undefined;
  return {
    group: {
      id: group.id,
      parentId: group.parentId,
      name: group.name,
      path: group.path,
      fullPath: group.fullPath,
      visibility: group.visibility as Visibility,
      isMarked,
    },
    level,
  };
}

async function isMemberBelow(groupId: number, userId: number, directory: Directory): Promise<boolean> {
  const { projects } = await directory.memberships(userId);
  for (const id of (await directory.groupsOf(userId)).keys())
    if ((await directory.namespace(id))?.ancestors?.includes(groupId)) return true;
  for (const id of projects.keys())
    if ((await directory.project(id))?.ancestors?.includes(groupId)) return true;
  return false;
}

function summaryOf(project: DirectoryProject, readOnly: ReadOnlyCause | null): ProjectSummary {
  return {
    id: project.id,
    namespaceId: project.namespaceId,
    ownerId: project.ownerId,
    name: project.name,
    path: project.path,
    fullPath: project.fullPath,
    visibility: project.visibility as Visibility,
    readOnly,
    defaultBranch: project.defaultBranch,
    storage: project.storage,
    features: project.features as ProjectSummary['features'],
  };
}

/** Those of these groups that the caller may see, with the caller's access level in each. */
export async function visibleGroups(
  directory: Directory,
  ids: readonly number[],
  caller: Principal | null,
): Promise<ReadonlyMap<number, number>> {
  const levels = new Map<number, number>();
  for (const id of ids) {
    const group = await directory.namespace(id);
    const grant = group?.kind === 'group' ? await grantGroup(group, caller, directory) : undefined;
    if (grant) levels.set(id, grant.level);
  }
  return levels;
}

/** Whether there is a group of this id that the caller may see. */
export async function isVisibleGroup(
  directory: Pick<Directory, 'namespace' | 'groupLevel' | 'marked'>,
  id: number,
  caller: Principal,
): Promise<boolean> {
  const group = await directory.namespace(id);
  if (group?.kind !== 'group') return false;
  if (caller.isAdmin) return true;
  const isMarked = (await directory.marked()).groups.has(id);
  if (!isMarked && isOpenTo(group.visibility as Visibility, caller)) return true;
  return (await directory.groupLevel(caller.userId, id)) >= (isMarked ? OWNER : 1);
}
