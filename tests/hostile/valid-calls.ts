import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import type { Param } from '@forgelog/contracts/params.ts';
import { settleUser } from '../support/inhabitants.ts';
import { must, type Place, type World } from './world.ts';

/** A call of an endpoint: its path's parameters, and the others. */
export interface ValidCall {
  method: string;
  inPath: Record<string, string | number>;
  rest: Record<string, unknown>;
}

let counter = 0;
const unique = (word: string) => `${word}-${++counter}`;

/**
 * A call that succeeds for whoever may make it, of any endpoint: its parameters are known by their names. With
 * `fresh` it is about a record of its own, made by root, so that it can be made again and again.
 */
export async function validCall(
  endpoint: AnyEndpoint,
  world: World,
  place: Place,
  { fresh = false, caller }: { fresh?: boolean; caller?: Caller | undefined } = {},
): Promise<ValidCall> {
  const root = { id: 1, token: world.forgelog.rootToken };
  const context = { endpoint, world, place, fresh, caller: caller ?? root };
  const inPath: ValidCall['inPath'] = {};
  for (const [, name] of endpoint.path.matchAll(/[:*](\w+)/g))
    inPath[name!] = await pathValue(name!, context);
  const rest: ValidCall['rest'] = {};
  const wanted = new Set<string>(WANTED[endpoint.id] ?? []);
  for (const { kind, names } of endpoint.rules)
    if (kind === 'at-least-one' && !names.some((name) => wanted.has(name))) wanted.add(names[0]!);
  for (const [name, param] of Object.entries(endpoint.params) as [string, Param<unknown>][]) {
    if (name in inPath || (param.presence !== 'required' && !wanted.has(name))) continue;
    rest[name] = await bodyValue(name, context);
  }
  return { method: endpoint.method, inPath, rest };
}

/** Parameters that an endpoint needs although its contract lets them be absent. */
const WANTED: Readonly<Record<string, readonly string[]>> = {
  'project-create': ['path', 'namespace_id'],
  'project-update': ['description'],
  'group-update': ['description'],
  'user-update': ['bio'],
  'user-create': ['force_random_password'],
  'repo-changelog': ['from', 'branch'],
  'environment-update': ['external_url'],
  'environment-delete-review-apps': ['dry_run'],
  'freeze-period-update': ['freeze_start'],
};

interface Context {
  endpoint: AnyEndpoint;
  world: World;
  place: Place;
  fresh: boolean;
  caller: Caller;
}

/** Whose own things are meant, where an endpoint is about those of its caller. */
export interface Caller {
  id: number;
  token: string;
}

async function pathValue(name: string, context: Context): Promise<string | number> {
  const { endpoint, world, place, fresh } = context;
  const { forgelog, people } = world;
  const base = `/projects/${place.projectId}`;
  const issue = `${base}/issues/${place.issueIid}`;
  const removes = endpoint.method === 'DELETE';
  switch (name) {
    case 'id':
    case 'project_id':
      return ownId(context);
    case 'user_id':
      if (endpoint.path.startsWith('/users/')) return people.bystander.id;
      if (!fresh) return people.bystander.id;
      return freshMember(context);
    case 'audit_event_id':
      return endpoint.access.kind === 'group' ? place.groupAuditId : place.projectAuditId;
    case 'issue_iid':
      if (!fresh || endpoint.path.includes('/:note_id') || endpoint.path.includes('/:discussion_id'))
        return place.issueIid;
      return (await must(forgelog.post(`${base}/issues`, { title: unique('issue') }))).iid;
    case 'discussion_id':
      return place.discussionId;
    case 'note_id': {
      const threaded = endpoint.path.includes('/:discussion_id');
      const notes = threaded ? `${issue}/discussions/${place.discussionId}/notes` : `${issue}/notes`;
      return (await must(forgelog.post(notes, { body: unique('note') }))).id;
    }
    case 'environment_id': {
      if (!fresh) return place.environmentId;
      const { id } = await must(forgelog.post(`${base}/environments`, { name: unique('env') }));
      if (removes) await must(forgelog.post(`${base}/environments/${id}/stop`));
      return id;
    }
    case 'freeze_period_id': {
      if (!fresh) return place.freezePeriodId;
      const ends = { freeze_start: '0 1 * * *', freeze_end: '0 2 * * *' };
      return (await must(forgelog.post(`${base}/freeze_periods`, ends))).id;
    }
    case 'branch': {
      if (!fresh || !removes) return 'main';
      const branch = unique('branch');
      await must(forgelog.post(`${base}/repository/branches`, { branch, ref: 'main' }));
      return branch;
    }
    case 'tag_name': {
      if (!fresh || !removes) return 'v0.1.0';
      const tag_name = unique('tag');
      await must(forgelog.post(`${base}/repository/tags`, { tag_name, ref: 'main' }));
      return tag_name;
    }
    case 'file_path': {
      if (endpoint.id === 'file-create') return `${unique('new')}.txt`;
      if (!fresh || !['PUT', 'DELETE'].includes(endpoint.method)) return 'README.md';
      const path = `${unique('file')}.txt`;
      const commit = { branch: 'main', commit_message: 'A file', content: 'old' };
      await must(forgelog.post(`${base}/repository/files/${path}`, commit));
      return path;
    }
    case 'sha':
      return endpoint.path.includes('/blobs/') ? world.blobOid : world.commitOid;
    case 'format':
      return 'zip';
    default:
      throw new Error(`${endpoint.id}: nothing is known of the path's parameter ${name}`);
  }
}

/** What `:id` names: the project or the group of the place, or a record that the path says. */
async function ownId({ endpoint, world, place, fresh, caller }: Context): Promise<number> {
  const { forgelog, people } = world;
  const whole = [
    'project-delete',
    'project-archive',
    'project-unarchive',
    'project-update',
    'project-star',
    'project-unstar',
    'group-delete',
    'group-update',
  ];
  const ofItsOwn = fresh && whole.includes(endpoint.id);
  if (endpoint.access.kind === 'project') {
    if (!ofItsOwn) return place.projectId;
    const path = unique('project');
    const given = { path, namespace_id: place.groupId, visibility: place.visibility };
    const { id } = await must(forgelog.post('/projects', given));
    if (endpoint.id === 'project-unstar')
      await must(forgelog.post(`/projects/${id}/star`, undefined, caller));
    return id;
  }
  if (endpoint.access.kind === 'group') {
    if (!ofItsOwn) return place.groupId;
    const path = unique('group');
    const given = { name: path, path, parent_id: place.groupId, visibility: place.visibility };
    return (await must(forgelog.post('/groups', given))).id;
  }
  switch (endpoint.path.split('/')[1]) {
    case 'users':
      return fresh && endpoint.method !== 'GET'
        ? (await settleUser(forgelog, unique('user'))).id
        : people.bystander.id;
    case 'audit_events':
      return place.groupAuditId;
    case 'personal_access_tokens': {
      const token = { name: 'to be revoked', scopes: ['api'] };
      return (await must(forgelog.post(`/users/${caller.id}/personal_access_tokens`, token))).id;
    }
    case 'todos': {
      const issues = `/projects/${world.places.public.projectId}/issues`;
      const { iid } = await must(forgelog.post(issues, { title: unique('to do') }));
      return (await must(forgelog.post(`${issues}/${iid}/todo`, undefined, caller))).id;
    }
    default:
      throw new Error(`${endpoint.id}: nothing is known of its id`);
  }
}

async function freshMember({ endpoint, world, place }: Context): Promise<number> {
  const { id } = await settleUser(world.forgelog, unique('member'));
  const where =
    endpoint.access.kind === 'project' && !endpoint.path.includes('/all/')
      ? `/projects/${place.projectId}`
      : `/groups/${place.groupId}`;
  await must(world.forgelog.post(`${where}/members`, { user_id: id, access_level: 10 }));
  return id;
}

async function bodyValue(name: string, context: Context): Promise<unknown> {
  const { endpoint, world, place, fresh } = context;
  switch (name) {
    case 'email':
      return `${unique('mail')}@example.org`;
    case 'username':
    case 'title':
    case 'branch':
      return name === 'branch' && endpoint.id !== 'branch-create' ? 'main' : unique(name);
    case 'path':
    case 'tag_name':
    case 'name':
      return unique(name.replace('_', '-'));
    case 'force_random_password':
    case 'dry_run':
      return true;
    case 'scopes':
      return ['api'];
    case 'access_level':
      return 20;
    case 'user_id':
      return fresh ? (await settleUser(world.forgelog, unique('new-member'))).id : world.people.outsider.id;
    case 'namespace_id':
      return place.groupId;
    case 'description':
    case 'body':
    case 'bio':
      return unique('some text');
    case 'ref':
    case 'to':
      return 'main';
    case 'from':
      return 'v0.1.0';
    case 'refs':
      return ['main', 'v0.1.0'];
    case 'version':
      return `1.0.${++counter}`;
    case 'commit_message':
      return 'A change';
    case 'content':
      return unique('content');
    case 'actions':
      return [{ action: 'create', file_path: `${unique('file')}.txt`, content: 'new' }];
    case 'duration':
      return '1h';
    case 'freeze_start':
      return '0 23 * * 5';
    case 'freeze_end':
      return '0 7 * * 1';
    case 'external_url':
      return 'https://example.org/';
    default:
      throw new Error(`${endpoint.id}: nothing is known of the parameter ${name}`);
  }
}

/** The path below the API's root, parameters encoded once; GET and DELETE carry the rest in the query. */
export function addressOf(
  endpoint: AnyEndpoint,
  inPath: Readonly<Record<string, string | number>>,
  rest: Readonly<Record<string, unknown>> = {},
): string {
  const path = endpoint.path.replace(/[:*](\w+)/g, (_, name: string) =>
    encodeURIComponent(inPath[name] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    if (Array.isArray(value)) for (const item of value) query.append(`${name}[]`, String(item));
    else query.append(name, String(value));
  }
  return `/api/v4${path}${query.size > 0 ? `?${query}` : ''}`;
}

export const inBody = (method: string) => ['POST', 'PUT', 'PATCH'].includes(method);
