import { createHash } from 'node:crypto';
import { SCOPES, type Scope } from '@forgelog/contracts/endpoint.ts';
import type { DomainEvent } from '@forgelog/contracts/event.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import type { Forgelog } from './forgelog.ts';

/**
 * Users, projects and memberships straight from their events: for tests of slices that need somebody and something
 * to be there, and do not care how it came to be. Ids from 100 on leave room for what the API creates.
 */
export interface Inhabitant {
  id: number;
  username: string;
  token: string;
  /** For `CallOptions`. */
  as: { token: string };
}

let nextId = 100;

/** Appends at the end of a stream, whatever is there; `actorId` null stands for the system. */
export async function record(
  forgelog: Forgelog,
  stream: string,
  actorId: number | null,
  ...events: DomainEvent[]
): Promise<void> {
  const { store, ports } = forgelog.system;
  const revision = (await store.readStream(stream)).at(-1)?.revision ?? 'no-stream';
  await ports.commands.append(stream, revision, events, { ...SYSTEM_METADATA, actorId });
}

export async function settleUser(
  forgelog: Forgelog,
  username: string,
  options: {
    admin?: boolean;
    external?: boolean;
    profile?: Record<string, unknown>;
    scopes?: readonly Scope[];
  } = {},
): Promise<Inhabitant> {
  const id = nextId++;
  await record(forgelog, `user-${id}`, null, {
    type: 'UserCreated',
    data: {
      userId: id,
      namespaceId: 10_000 + id,
      username,
      name: `Name of ${username}`,
      email: `${username}@example.com`,
      admin: options.admin ?? false,
      external: options.external ?? false,
      bot: false,
      passwordHash: null,
      confirmed: true,
      identities: [],
      profile: options.profile ?? {},
    },
  });
  const token = await settleToken(forgelog, id, options.scopes ?? SCOPES);
  return { id, username, token, as: { token } };
}

export async function settleToken(
  forgelog: Forgelog,
  userId: number,
  scopes: readonly Scope[],
): Promise<string> {
  const tokenId = nextId++;
  const token = `token-${tokenId}-of-a-test-0123456789`;
  await record(forgelog, `accessToken-${tokenId}`, null, {
    type: 'PersonalAccessTokenCreated',
    data: {
      tokenId,
      userId,
      name: 'test',
      scopes: [...scopes],
      expiresAt: null,
      tokenSha256: createHash('sha256').update(token).digest('hex'),
      ...{ impersonation: false, projectId: null, groupId: null },
    },
  });
  return token;
}

/** A project in root's namespace; root acts as its owner. */
export async function settleProject(
  forgelog: Forgelog,
  path: string,
  options: {
    visibility?: 'private' | 'internal' | 'public';
    owner?: Inhabitant;
    settings?: Record<string, unknown>;
  } = {},
): Promise<number> {
  const projectId = nextId++;
  const { owner } = options;
  await record(forgelog, `project-${projectId}`, owner?.id ?? 1, {
    type: 'ProjectCreated',
    data: {
      projectId,
      namespaceId: owner ? 10_000 + owner.id : 1,
      ownerId: owner?.id ?? 1,
      creatorId: owner?.id ?? 1,
      name: path,
      path,
      fullPath: `${owner?.username ?? 'root'}/${path}`,
      description: null,
      visibility: options.visibility ?? 'private',
      defaultBranch: null,
      settings: options.settings ?? {},
    },
  });
  return projectId;
}

export async function settleMember(
  forgelog: Forgelog,
  projectId: number,
  user: Inhabitant,
  accessLevel: 10 | 20 | 30 | 40,
): Promise<void> {
  await record(forgelog, `projectMember-${projectId}`, 1, {
    type: 'ProjectMemberAdded',
    data: { projectId, userId: user.id, accessLevel, expiresAt: null },
  });
}

export interface SettledIssue {
  id: number;
  iid: number;
  projectId: number;
  stream: string;
  /** What its events carry. */
  ids: { issueId: number; projectId: number; iid: number };
}

/** An issue of root's, unless another author is named. */
export async function settleIssue(
  forgelog: Forgelog,
  projectId: number,
  iid: number,
  options: { author?: Inhabitant; assigneeIds?: number[]; confidential?: boolean; title?: string } = {},
): Promise<SettledIssue> {
  const id = nextId++;
  const ids = { issueId: id, projectId, iid };
  const stream = `issue-${projectId}-${iid}`;
  const authorId = options.author?.id ?? 1;
  await record(forgelog, stream, authorId, {
    type: 'IssueOpened',
    data: {
      ...ids,
      authorId,
      title: options.title ?? `Issue ${iid}`,
      description: null,
      issueType: 'issue',
      confidential: options.confidential ?? false,
      labels: [],
      labelIds: [],
      assigneeIds: options.assigneeIds ?? [],
      milestoneId: null,
      dueDate: null,
      weight: null,
      createdAt: null,
    },
  });
  return { id, iid, projectId, stream, ids };
}
