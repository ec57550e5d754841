import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { SCOPES, type Scope } from '@forgelog/contracts/endpoint.ts';
import { repositoryPath } from '@forgelog/repo/repository-storage/repositories.ts';
import { type Forgelog, startForgelog } from './forgelog.ts';
import { type Inhabitant, settleUser } from './inhabitants.ts';
import { must } from './must.ts';
import { commitAll, fill, git, newFolder, removeFolder } from './repositories.ts';

export const ROLES = ['guest', 'reporter', 'developer', 'maintainer', 'owner'] as const;
export type Role = (typeof ROLES)[number];
const LEVELS: Record<Role, (typeof AccessLevel)[Role]> = {
  guest: 10,
  reporter: 20,
  developer: 30,
  maintainer: 40,
  owner: 50,
};
export const VISIBILITIES = ['private', 'internal', 'public'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** A project in a group of its own, with a bit of everything in it. */
export interface Place {
  visibility: Visibility;
  groupId: number;
  groupPath: string;
  projectId: number;
  projectPath: string;
  gitDir: string;
  issueIid: number;
  confidentialIid: number;
  noteId: number;
  discussionId: string;
  /** What fixtures made here, see `recordOf`. */
  records: Map<string, Promise<string | number>>;
}

export interface World {
  forgelog: Forgelog;
  /** `bystander` never calls: a guest everywhere, about whom others call. */
  people: Record<Role | 'outsider' | 'external' | 'blocked' | 'admin' | 'bystander', Inhabitant>;
  /** Members of the groups by role; `foreign` is a private place in which only root is anything. */
  places: Record<Visibility | 'foreign', Place>;
  /** A token with this scope alone, each of another administrator. */
  scoped: Record<Scope, string>;
  /** In the repository of each place. */
  blobOid: string;
  commitOid: string;
}

/** People of every kind, and a place of every visibility. */
export async function createWorld(options: Parameters<typeof startForgelog>[0] = {}): Promise<World> {
  // Deleted places can be restored.
  const environment = { DELETION_ADJOURNED_PERIOD: '7', ...options.environment };
  const forgelog = await startForgelog({ ...options, environment });
  const people = {} as World['people'];
  for (const name of [...ROLES, 'outsider', 'external', 'blocked', 'admin', 'bystander'] as const)
    people[name] = await settleUser(forgelog, `the-${name}`, {
      admin: name === 'admin',
      external: name === 'external',
    });
  await must(forgelog.post(`/users/${people.blocked.id}/block`));
  const scoped = {} as World['scoped'];
  for (const scope of SCOPES)
    scoped[scope] = (await settleUser(forgelog, `scope-${scope}`, { admin: true, scopes: [scope] })).token;
  const folder = newFolder();
  try {
    writeFileSync(join(folder, 'README.md'), '# A project\n');
    commitAll(folder, 'First commit');
    git(folder, 'branch', 'feature');
    git(folder, 'tag', 'v0.1.0');
    writeFileSync(join(folder, 'more.txt'), 'more\n');
    const commitOid = commitAll(folder, 'Second commit');
    addSubmodule(folder);
    addSigned(folder);
    const blobOid = git(folder, 'rev-parse', 'HEAD:README.md');
    const places = {} as World['places'];
    for (const name of [...VISIBILITIES, 'foreign'] as const)
      places[name] = await createPlace(forgelog, name, folder, name === 'foreign' ? null : people);
    return { forgelog, people, places, scoped, blobOid, commitOid };
  } finally {
    removeFolder(folder);
  }
}

/** A branch `with-submodule`, in which the submodule `linked` is at a commit of another repository. */
function addSubmodule(folder: string): void {
  git(folder, 'update-index', '--add', '--cacheinfo', `160000,${'a'.repeat(40)},linked`);
  const oid = git(folder, 'commit-tree', '-p', 'HEAD', '-m', 'Link', git(folder, 'write-tree'));
  git(folder, 'branch', 'with-submodule', oid);
  git(folder, 'update-index', '--force-remove', 'linked');
}

/** A branch and a tag `signed`, by a signature that nobody can verify. */
function addSigned(folder: string): void {
  const armor = ['-----BEGIN PGP SIGNATURE-----', '', 'AAAA', '-----END PGP SIGNATURE-----'].join('\n');
  const [headers] = git(folder, 'cat-file', 'commit', 'HEAD').split('\n\n', 1);
  const file = join(folder, '.git', 'signed');
  writeFileSync(file, `${headers}\ngpgsig ${armor.replaceAll('\n', '\n ')}\n\nSigned\n`);
  git(folder, 'branch', 'signed', git(folder, 'hash-object', '-t', 'commit', '-w', file));
  git(folder, 'tag', '-a', 'signed', '-m', `Signed\n\n${armor}`);
}

async function createPlace(
  forgelog: Forgelog,
  name: Visibility | 'foreign',
  folder: string,
  people: World['people'] | null,
): Promise<Place> {
  const visibility = name === 'foreign' ? 'private' : name;
  const group = await must(forgelog.post('/groups', { name, path: `${name}-group`, visibility }));
  const groupId: number = group.id;
  const project = await must(
    forgelog.post('/projects', { path: 'project', namespace_id: groupId, visibility }),
  );
  const projectId: number = project.id;
  const base = `/projects/${projectId}`;
  for (const role of people ? ROLES : []) {
    const member = { user_id: people![role].id, access_level: LEVELS[role] };
    await must(forgelog.post(`/groups/${groupId}/members`, member));
  }
  if (people) {
    const bystander = { user_id: people.bystander.id, access_level: LEVELS.guest };
    await must(forgelog.post(`/groups/${groupId}/members`, bystander));
    await must(forgelog.post(`${base}/members`, bystander));
  }
  const gitDir = join(forgelog.dataDir, 'repositories', repositoryPath(projectId));
  const path: string = project.path_with_namespace;
  await fill(forgelog, { id: projectId, path, at: `${base}/repository`, gitDir }, folder);
  const issue = await must(forgelog.post(`${base}/issues`, { title: `Open ${name}` }));
  const hidden = await must(forgelog.post(`${base}/issues`, { title: `Hidden ${name}`, confidential: true }));
  const note = await must(forgelog.post(`${base}/issues/${issue.iid}/notes`, { body: 'A note' }));
  const discussion = await must(
    forgelog.post(`${base}/issues/${issue.iid}/discussions`, { body: 'A thread' }),
  );
  return {
    visibility,
    groupId,
    groupPath: group.full_path,
    projectId,
    projectPath: project.path_with_namespace,
    gitDir,
    issueIid: issue.iid,
    confidentialIid: hidden.iid,
    noteId: note.id,
    discussionId: discussion.id,
    records: new Map(),
  };
}
