import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { type Authorizer, type GroupGrant, levelOf, type ProjectGrant, READ_ONLY } from './access.ts';
import type { Principal } from './principal.ts';

const ASKS_FOR_BASIC = { 'WWW-Authenticate': 'Basic realm="Forgelog"' };

interface Asked {
  endpoint: AnyEndpoint;
  principal: Principal | null;
  pathParams: Readonly<Record<string, string | undefined>>;
  request: { method?: string };
}

interface Granted {
  project?: ProjectGrant;
  group?: GroupGrant;
}

/**
 * Checks scope, visibility, then role. Returns the rule's project or group, synchronously where rights are in memory.
 */
export function authorize(asked: Asked, authorizer: Authorizer): Granted | Promise<Granted> {
  const { endpoint, principal, pathParams } = asked;
  if (principal !== null) requireScope(principal, endpoint);
  const { access } = endpoint;
  if (access.kind === 'anyone' || access.kind === 'job') return {};
  const needsUser = access.kind === 'user' || access.kind === 'administrator' || access.signedIn;
  if (needsUser && principal === null)
    throw new Rejection('unauthorized', undefined, endpoint.basic ? ASKS_FOR_BASIC : undefined);
  if (access.kind === 'user') return {};
  if (access.kind === 'administrator') {
    if (!principal!.isAdmin) throw new Rejection('forbidden', {});
    return {};
  }
  const named = pathParams[access.param] ?? '';
  if (access.kind === 'group')
    return authorizer.group(named, principal).then((group) => grantedGroup(group, access, asked));
  const project = authorizer.project(named, principal);
  return project instanceof Promise
    ? project.then((found) => grantedProject(found, access, asked))
    : grantedProject(project, access, asked);
}

function grantedGroup(
  group: GroupGrant | undefined,
  { role, whileMarked }: Access<'group'>,
  { request }: Asked,
): Granted {
  if (!group) throw new Rejection('not_found', { what: 'Group' });
  if (role !== 'anyone' && group.level < levelOf(role)) throw new Rejection('forbidden', {});
  if (group.group.isMarked && !whileMarked && writes(request))
    throw new Rejection('forbidden', { reason: 'The group is marked for deletion' });
  return { group };
}

function grantedProject(
  project: ProjectGrant | undefined,
  { role, feature, whileMarked }: Access<'project'>,
  { request }: Asked,
): Granted {
  if (!project) throw new Rejection('not_found', { what: 'Project' });
  if (role !== 'anyone' && project.level < levelOf(role)) throw new Rejection('forbidden', {});
  if (feature !== null && !project.can(feature)) throw new Rejection('forbidden', {});
  const { readOnly } = project.project;
  const isRefused = readOnly === 'archived' ? feature !== null : !whileMarked;
  if (readOnly !== null && isRefused && writes(request))
    throw new Rejection('forbidden', { reason: READ_ONLY[readOnly] });
  return { project };
}

const writes = ({ method }: Asked['request']): boolean => method !== 'GET' && method !== 'HEAD';

type Access<Kind extends AnyEndpoint['access']['kind']> = Extract<AnyEndpoint['access'], { kind: Kind }>;

function requireScope(
  { scopes: held, deployToken }: Principal,
  { scopes, deployToken: opens }: AnyEndpoint,
): void {
  const isEnough = deployToken
    ? opens.some((scope) => deployToken.scopes.includes(scope))
    : scopes.some((scope) => held.includes(scope));
  if (!isEnough) throw new Rejection('insufficient_scope', { scopes: deployToken ? opens : scopes });
}
