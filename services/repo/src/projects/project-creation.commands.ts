import { Rejection } from '@forgelog/contracts/errors.ts';
import type { DirectoryNamespace } from '@forgelog/directory/collections.ts';
import { NameTakenError, projectNameStream, routeStream } from '@forgelog/directory/name.decider.ts';
import type { Names } from '@forgelog/directory/names.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { isValidBranchName } from '@forgelog/git/refs/ref-name.ts';
import type { Visibility } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';
import type { Forking, ForkPoint } from '../repository-storage/forking.ts';
import type { Repositories } from '../repository-storage/repositories.ts';
import { type ProjectCommand, projectDecider, projectStream } from './project.decider.ts';
import { isProjectNameTaken } from './project-name.query.ts';
import { creationNamespace, requireBelowLimit } from './project-namespace.access.ts';
import type { ProjectSettings } from './project-settings.rules.ts';
import { commitReadme } from './readme-commit.ts';
import type { Storages } from './storages.ts';

export interface Creation {
  name: string;
  path: string;
  namespaceId: number | undefined;
  description: string | null;
  visibility: Visibility;
  settings: ProjectSettings;
  /** The storage that an administrator chose. */
  storage: string | undefined;
  /** The branch of the README's commit. */
  defaultBranch: string | undefined;
  withReadme: boolean;
  fork?: ForkedRepository;
}

/** What a fork has of its origin. */
export interface ForkedRepository extends ForkPoint {
  defaultBranch: string | null;
}

export const FIRST_BRANCH = 'main';

const TAKEN = 'has already been taken';
const RETRY_S = 5;

export interface ProjectCreation {
  /** Refuses what would be refused anyway, without side effects. */
  check(creation: Creation, principal: Principal): Promise<void>;
  /** Takes the id of a new project, which no repository has. */
  reserve(): Promise<number>;
  /**
   * Creates the repository and then the project, so that no visible project lacks one. Returns its id.
   * @param reserved an unused id, whose repository may exist already
   */
  create(
    creation: Creation,
    principal: Principal,
    metadata: EventMetadata,
    reserved?: number,
  ): Promise<number>;
}

export function projectCreation(
  ports: Pick<ServicePorts, 'commands' | 'ids' | 'directory' | 'readStore' | 'clock'> & {
    repositories: Repositories;
    forking: Forking;
    names: Names;
    storages: Storages;
  },
): ProjectCreation {
  const { commands, ids, directory, readStore, clock, repositories, forking, names, storages } = ports;

  async function removeAbandoned(projectId: number): Promise<void> {
    const { state } = await commands.load(projectDecider, projectStream(projectId));
    if (state.status === 'abandoned') await repositories.remove(projectId);
  }

  const taken = (name: boolean, path: boolean) =>
    new Rejection('validation_failed', {
      fields: { ...(name ? { name: [TAKEN] } : {}), ...(path ? { path: [TAKEN] } : {}), limit_reached: [] },
    });

  const takenNames = (error: unknown) => {
    if (error instanceof NameTakenError) return error.names;
    throw error;
  };

  /** Where a group above turned shared runners off, a project begins without them, unless it says otherwise. */
  async function usualIn(
    { ancestors }: DirectoryNamespace,
    settings: ProjectSettings,
  ): Promise<ProjectSettings> {
    if (settings.shared_runners_enabled !== undefined) return settings;
    const above = await Promise.all(ancestors.map((id) => directory.namespace(id)));
    const isOff = above.some((group) => group?.sharedRunnersSetting === 'disabled_with_override');
    return isOff ? { ...settings, shared_runners_enabled: false } : settings;
  }

  async function plan(creation: Creation, principal: Principal) {
    const namespace = await creationNamespace(directory, principal, creation.namespaceId);
    await requireBelowLimit({ directory, readStore }, namespace);
    const { fork } = creation;
    const branch = creation.defaultBranch ?? fork?.defaultBranch ?? FIRST_BRANCH;
    if (!isValidBranchName(branch))
      throw new Rejection('validation_failed', { fields: { default_branch: ['is invalid'] } });
    const storage = creation.storage ?? storages.own;
    const settings = await usualIn(namespace, creation.settings);
    const commandFor = (projectId: number): ProjectCommand => ({
      type: 'CreateProject',
      projectId,
      namespaceId: namespace.id,
      ownerId: namespace.kind === 'user' ? namespace.ownerId : null,
      creatorId: principal.userId,
      fullPath: `${namespace.fullPath}/${creation.path}`,
      name: creation.name,
      path: creation.path,
      description: creation.description,
      visibility: creation.visibility,
      // With a README, set the branch of its commit right away, in the same event.
      defaultBranch: creation.withReadme ? branch : (fork?.defaultBranch ?? null),
      storage,
      settings,
      groupVisibility: namespace.kind === 'group' ? (namespace.visibility as Visibility) : null,
      storages: storages.all,
      forkedFromProjectId: fork?.originId ?? null,
      forkedAtRevision: fork?.revision ?? null,
    });
    // Refuse before taking an id or claiming a name.
    projectDecider.decide(commandFor(0), projectDecider.initialState);
    // The gateway routes to the instance of the storage; a mismatch means that its settings differ.
    if (storage !== storages.own) throw unavailable('the storage is held elsewhere', RETRY_S);
    const path = routeStream(namespace.id, creation.path);
    const name = projectNameStream(namespace.id, creation.name);
    const others = await names.requireFree([path, name]).then((): readonly string[] => [], takenNames);
    const nameTaken = others.includes(name) || (await isProjectNameTaken(readStore, namespace.id, creation));
    if (nameTaken || others.length > 0) throw taken(nameTaken, others.includes(path));
    return { branch, commandFor, path, name };
  }

  async function reserve(): Promise<number> {
    const projectId = await ids.next('project');
    await repositories.setAside(projectId);
    return projectId;
  }

  async function create(
    creation: Creation,
    principal: Principal,
    metadata: EventMetadata,
    reserved?: number,
  ): Promise<number> {
    const { branch, commandFor, path, name } = await plan(creation, principal);
    const projectId = reserved ?? (await reserve());
    const take = [path, name];
    const { fork } = creation;
    // Until it has its refs, nobody else finishes the fork.
    const release = repositories.hold(projectId);
    try {
      await names.claimed({ kind: 'project', id: projectId }, { take }, metadata, async (at) => {
        await (fork ? forking.create(projectId, fork, branch) : repositories.create(projectId, branch));
        await commands.handle(projectDecider, projectStream(projectId), commandFor(projectId), metadata, {
          at,
        });
      });
      if (fork) await forking.record(projectId, fork, metadata);
    } catch (error) {
      await removeAbandoned(projectId).catch(() => {}); // at worst an invisible repository remains
      const lost = takenNames(error);
      throw taken(lost.includes(name), lost.includes(path));
    } finally {
      release();
    }
    if (creation.withReadme) {
      const { name, description } = creation;
      const readme = { projectId, branch, title: name, description, author: principal, date: clock() };
      await commitReadme(repositories, readme, metadata);
    }
    return projectId;
  }

  return {
    check: async (creation, principal) => void (await plan(creation, principal)),
    reserve,
    create,
  };
}
