import { Rejection } from '@forgelog/contracts/errors.ts';
import { NameTakenError } from '@forgelog/directory/name.decider.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, eq, not } from '@forgelog/eventing/query.ts';
import type { ProjectGrant, Visibility } from '@forgelog/service-kit/access.ts';
import { isValidBranchName } from '../git/ref-name.ts';
import type { Repositories } from '../repositories/repositories.ts';
import { projects } from './project.collections.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import type { ProjectPaths } from './project-paths.ts';
import type { ProjectSettings } from './project-settings.ts';
import type { Storages } from './storages.ts';

/** What a request wants changed; undefined leaves it. */
export interface WantedChanges {
  name: string | undefined;
  path: string | undefined;
  description: string | null | undefined;
  visibility: Visibility | undefined;
  defaultBranch: string | undefined;
  settings: (current: ProjectSettings) => ProjectSettings;
  /** The storage that an administrator asked for. */
  storage: string | undefined;
}

const OWNER = 50;
const TAKEN = 'has already been taken';

const invalid = (field: string, problem: string) =>
  new Rejection('validation_failed', { fields: { [field]: [problem] } });

/** Changes a project: what it is called and who sees it is the owner's, the rest a maintainer's. */
export function projectUpdate(
  ports: Pick<ServicePorts, 'commands' | 'directory' | 'readStore'> & {
    repositories: Repositories;
    paths: ProjectPaths;
    storages: Storages;
  },
) {
  const { commands, directory, readStore, repositories, paths, storages } = ports;

  async function requireBranch(projectId: number, branch: string): Promise<void> {
    const isThere =
      isValidBranchName(branch) && (await repositories.of(projectId).readRef(`refs/heads/${branch}`));
    if (isThere) return;
    const problem = `Could not set the default branch. Do you have a branch named '${branch}' in your repository?`;
    throw invalid('default_branch', problem);
  }

  async function requireFreeName(projectId: number, namespaceId: number, name: string): Promise<void> {
    const where = and(eq('namespaceId', namespaceId), eq('name', name), not(eq('id', projectId)));
    if ((await readStore.count(projects, { where, atMost: 1 })) > 0) throw invalid('name', TAKEN);
  }

  return async ({ project, level }: ProjectGrant, wanted: WantedChanges, metadata: EventMetadata) => {
    const { id: projectId, namespaceId } = project;
    const isOther = <T>(given: T | undefined, now: T) => given !== undefined && given !== now;
    const renames = isOther(wanted.name, project.name) || isOther(wanted.path, project.path);
    if ((renames || isOther(wanted.visibility, project.visibility)) && level < OWNER)
      throw new Rejection('forbidden', {});
    if (isOther(wanted.name, project.name)) await requireFreeName(projectId, namespaceId, wanted.name!);
    const branchMoves = isOther(wanted.defaultBranch, project.defaultBranch);
    if (branchMoves) await requireBranch(projectId, wanted.defaultBranch!);
    const stream = projectStream(projectId);
    const { state } = await commands.load(projectDecider, stream);
    const namespace = await directory.namespace(namespaceId);
    const { name, path, description, visibility, defaultBranch, storage } = wanted;
    const settings = wanted.settings(state.status === 'present' ? state.settings : {});
    const command = {
      type: 'UpdateProject' as const,
      projectId,
      changes: { name, path, description, visibility, defaultBranch, settings },
      groupVisibility: namespace?.kind === 'group' ? (namespace.visibility as Visibility) : null,
      storage,
      storages: storages.all,
    };
    const apply = () => commands.handle(projectDecider, stream, command, metadata);
    if (path === undefined || path.toLowerCase() === project.path.toLowerCase()) await apply();
    else {
      // What would be refused anyway claims nothing.
      projectDecider.decide(command, state);
      try {
        await paths.claimed(projectId, { namespaceId, path }, metadata, apply);
      } catch (error) {
        throw error instanceof NameTakenError ? invalid('path', TAKEN) : error;
      }
      await paths.release(projectId, { namespaceId, path: project.path }, metadata);
    }
    if (branchMoves) await repositories.of(projectId).setHead(defaultBranch!);
  };
}
