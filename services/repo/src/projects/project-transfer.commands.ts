import { Rejection } from '@forgelog/contracts/errors.ts';
import { NameTakenError, projectNameStream, routeStream } from '@forgelog/directory/name.decider.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { ProjectSummary, Visibility } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { RepoPorts } from '../ports.ts';
import { type ProjectCommand, projectDecider, projectStream } from './project.decider.ts';
import { isProjectNameTaken } from './project-name.query.ts';
import { mayCreateIn, requireBelowLimit } from './project-namespace.access.ts';

const failed = (why: string) => new Rejection('refused', { message: `Failed to transfer project: ${why}` });

export type Transfer = (
  project: ProjectSummary,
  to: string,
  caller: Principal,
  metadata: EventMetadata,
  operationId?: string,
) => Promise<void>;

/** Moves a project into another namespace; git and the API find it at its old path until another one takes that. */
export function projectTransfer(
  ports: Pick<RepoPorts, 'commands' | 'directory' | 'names' | 'readStore'>,
): Transfer {
  const { commands, directory, names, readStore } = ports;

  async function namespaceOf(idOrPath: string, caller: Principal) {
    const isId = /^\d{1,15}$/.test(idOrPath);
    const found = isId
      ? await directory.namespace(Number(idOrPath))
      : await directory.namespaceByPath(idOrPath);
    // A group where the caller may not create is told from none only if they see it.
    const isSeen =
      found &&
      (found.visibility === 'public' ||
        caller.isAdmin ||
        (await directory.groupLevel(caller.userId, found.id)) > 0);
    if (!isSeen) throw new Rejection('not_found', { what: 'Namespace' });
    if (!(await mayCreateIn(directory, caller, found)))
      throw failed("You don't have permission to transfer projects into that namespace.");
    return found;
  }

  return async (project, to, caller, metadata, operationId) => {
    const { id: projectId, namespaceId, name, path } = project;
    const target = await namespaceOf(to, caller);
    if (target.id === namespaceId) throw failed('Project is already in this namespace.');
    await requireBelowLimit({ directory, readStore }, target);
    const command: ProjectCommand = {
      type: 'TransferProject',
      projectId,
      namespaceId: target.id,
      ownerId: target.kind === 'user' ? target.ownerId : null,
      namespacePath: target.fullPath,
      groupVisibility: target.kind === 'group' ? (target.visibility as Visibility) : null,
    };
    const namesIn = (id: number) => [routeStream(id, path), projectNameStream(id, name)];
    const holder = { kind: 'project', id: projectId } as const;
    try {
      if (await isProjectNameTaken(readStore, target.id, { name })) throw new NameTakenError([]);
      await names.requireFree(namesIn(target.id), holder);
      const claims = { take: namesIn(target.id), leave: namesIn(namespaceId) };
      await names.claimed(holder, claims, metadata, (at) =>
        commands.handle(projectDecider, projectStream(projectId), command, metadata, {
          at,
          ...(operationId !== undefined && { operationId }),
        }),
      );
    } catch (error) {
      if (!(error instanceof NameTakenError)) throw error;
      throw failed('Project with same name or path in target namespace already exists.');
    }
  };
}
