import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import type { DirectoryUser } from '@forgelog/directory/collections.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Authorizer, ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type NoteRow, notes } from '../discussions/discussions.collection.ts';
import { readableIssue } from '../issues/issue.access.ts';
import { mergeRequestOf } from '../merge-requests/merge-request.access.ts';
import { readsConfidential } from '../targets/target.access.ts';
import type { TargetRow } from './audience.ts';
import { isMailAddress } from './mail-address.ts';
import type { News } from './news.ts';

/** What a user may know of news at this moment. */
export interface ReadableNews {
  principal: Principal;
  project: ProjectGrant | undefined;
  /** Names of the group, where it is about one. */
  groupName: string | null;
  groupPath: string | null;
  row: TargetRow | undefined;
  note: NoteRow | undefined;
}

/** Where mail for a user goes; null for whoever is blocked, a program, or has confirmed no address. */
export function mailAddressOf(user: DirectoryUser | undefined): string | null {
  if (user?.state !== 'active' || user.bot || !user.emailConfirmed || user.email === null) return null;
  return isMailAddress(user.email) ? user.email : null;
}

/** Undefined for who may not read it, or no longer, and for what is gone. */
export async function readableNews(
  { directory, readStore }: Pick<ServicePorts, 'directory' | 'readStore'>,
  authorizer: Authorizer,
  userId: number,
  { projectId, groupId, target, noteId, says }: News,
): Promise<ReadableNews | undefined> {
  const principal = await actingUser(directory, userId);
  if (!principal) return undefined;
  const nothing = { groupName: null, groupPath: null, row: undefined, note: undefined };
  if (projectId === null) {
    const group = await authorizer.group(String(groupId), principal);
    const { name, fullPath } = group?.group ?? { name: null, fullPath: null };
    return group && { principal, project: undefined, ...nothing, groupName: name, groupPath: fullPath };
  }
  const project = await authorizer.project(String(projectId), principal);
  if (!project) return undefined;
  if (says.did === 'released')
    return project.can('repository') ? { principal, project, ...nothing } : undefined;
  if ('pipelineId' in says) {
    const isReader = project.can('builds') && project.level >= AccessLevel.reporter;
    return isReader ? { principal, project, ...nothing } : undefined;
  }
  if (target === null) return { principal, project, ...nothing };
  if (!project.can(target.type === 'Issue' ? 'issues' : 'merge_requests')) return undefined;
  const row =
    target.type === 'Issue'
      ? await readableIssue(readStore, project, principal, target.iid)
      : await mergeRequestOf(readStore, project, target.iid);
  if (!row) return undefined;
  const note = noteId === null ? undefined : await readStore.get(notes, noteId);
  if (noteId !== null) {
    if (!note) return undefined;
    const isOpen = !note.confidential || note.authorId === userId;
    if (!isOpen && !readsConfidential(row, project.level, principal)) return undefined;
  }
  return { principal, project, ...nothing, row, note };
}
