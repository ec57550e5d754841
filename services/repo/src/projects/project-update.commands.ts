import { Rejection } from '@forgelog/contracts/errors.ts';
import { NameTakenError, projectNameStream, routeStream } from '@forgelog/directory/name.decider.ts';
import type { Names } from '@forgelog/directory/names.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { ExpectedRevision } from '@forgelog/eventing/event-store.ts';
import { isValidBranchName } from '@forgelog/git/refs/ref-name.ts';
import type { ProjectGrant, Visibility } from '@forgelog/service-kit/access.ts';
import type { Repositories } from '../repository-storage/repositories.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import { isProjectNameTaken } from './project-name.query.ts';
import type { ProjectSettings } from './project-settings.rules.ts';
import type { Storages } from './storages.ts';

/** Requested changes; undefined means unchanged. */
export interface WantedChanges {
  name: string | undefined;
  path: string | undefined;
  description: string | null | undefined;
  visibility: Visibility | undefined;
  defaultBranch: string | undefined;
  settings: (current: ProjectSettings) => ProjectSettings;
  storage: string | undefined;
}

const OWNER = 50;
const TAKEN = 'has already been taken';

const invalid = (field: string, problem: string) =>
  new Rejection('validation_failed', { fields: { [field]: [problem] } });

/** Changes a project. Owners change its name and visibility, maintainers the rest. */
export function projectUpdate(
  ports: Pick<ServicePorts, 'commands' | 'directory' | 'readStore'> & {
    repositories: Repositories;
    names: Names;
    storages: Storages;
  },
) {
  const { commands, directory, readStore, repositories, names, storages } = ports;

  async function requireBranch(projectId: number, branch: string): Promise<void> {
    const isThere =
      isValidBranchName(branch) && (await repositories.of(projectId).readRef(`refs/heads/${branch}`));
    if (isThere) return;
    const problem = `Could not set the default branch. Do you have a branch named '${branch}' in your repository?`;
    throw invalid('default_branch', problem);
  }

  return async ({ project, level }: ProjectGrant, wanted: WantedChanges, metadata: EventMetadata) => {
    const { id: projectId, namespaceId } = project;
    const isOther = <T>(given: T | undefined, now: T) => given !== undefined && given !== now;
    const [isRenamed, isMoved] = [isOther(wanted.name, project.name), isOther(wanted.path, project.path)];
    if ((isRenamed || isMoved || isOther(wanted.visibility, project.visibility)) && level < OWNER)
      throw new Rejection('forbidden', {});
    const branchMoves = isOther(wanted.defaultBranch, project.defaultBranch);
    if (branchMoves) await requireBranch(projectId, wanted.defaultBranch!);
    const stream = projectStream(projectId);
    const { state } = await commands.load(projectDecider, stream);
    const namespace = await directory.namespace(namespaceId);
    const originId = (await directory.project(projectId))?.forkedFromId ?? null;
    const origin = originId === null ? undefined : await directory.project(originId);
    const { description, visibility, defaultBranch, storage } = wanted;
    // Leave out a name or path that does not change: only changes are claimed.
    const name = isRenamed ? wanted.name : undefined;
    const path = isMoved ? wanted.path : undefined;
    const settings = wanted.settings(state.status === 'present' ? state.settings : {});
    const command = {
      type: 'UpdateProject' as const,
      projectId,
      changes: { name, path, description, visibility, defaultBranch, settings },
      groupVisibility: namespace?.kind === 'group' ? (namespace.visibility as Visibility) : null,
      originVisibility: (origin?.visibility as Visibility | undefined) ?? null,
      storage,
      storages: storages.all,
    };
    const apply = (at?: ExpectedRevision) =>
      commands.handle(projectDecider, stream, command, metadata, at === undefined ? {} : { at });
    const namesOf = (called: { name?: string | undefined; path?: string | undefined }) => [
      ...(isMoved ? [routeStream(namespaceId, called.path!)] : []),
      ...(isRenamed ? [projectNameStream(namespaceId, called.name!)] : []),
    ];
    const take = namesOf(wanted);
    if (take.length === 0) await apply();
    else {
      // Refuse before claiming a name.
      projectDecider.decide(command, state);
      const holder = { kind: 'project', id: projectId } as const;
      if (isRenamed && (await isProjectNameTaken(readStore, namespaceId, { id: projectId, name: name! })))
        throw invalid('name', TAKEN);
      try {
        await names.requireFree(take, holder);
        await names.claimed(holder, { take, leave: namesOf(project) }, metadata, apply);
      } catch (error) {
        if (!(error instanceof NameTakenError)) throw error;
        const isPath = isMoved && error.names.includes(routeStream(namespaceId, path!));
        throw invalid(isPath ? 'path' : 'name', TAKEN);
      }
    }
    if (branchMoves) await repositories.of(projectId).setHead(defaultBranch!);
  };
}
