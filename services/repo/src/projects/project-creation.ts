import { Rejection } from '@forgelog/contracts/errors.ts';
import { NameTakenError } from '@forgelog/directory/name.decider.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import type { Visibility } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';
import { isValidBranchName } from '../git/ref-name.ts';
import type { Repositories } from '../repositories/repositories.ts';
import { projects } from './project.collections.ts';
import { type ProjectCommand, projectDecider, projectStream } from './project.decider.ts';
import { creationNamespace, requireBelowLimit } from './project-namespaces.ts';
import type { ProjectPaths } from './project-paths.ts';
import type { ProjectSettings } from './project-settings.ts';
import { commitReadme } from './readme-commit.ts';
import type { Storages } from './storages.ts';

export interface Creation {
  name: string;
  path: string;
  namespaceId: number | undefined;
  description: string | null;
  visibility: Visibility;
  settings: ProjectSettings;
  /** The storage that an administrator asked for. */
  storage: string | undefined;
  /** Branch of the first commit where there is a README. */
  defaultBranch: string | undefined;
  withReadme: boolean;
}

export const FIRST_BRANCH = 'main';

const TAKEN = 'has already been taken';
const RETRY_S = 5;

/** Makes a project, its repository first, so that none is ever seen without. Returns its id. */
export function projectCreation(
  ports: Pick<ServicePorts, 'commands' | 'ids' | 'directory' | 'readStore' | 'clock'> & {
    repositories: Repositories;
    paths: ProjectPaths;
    storages: Storages;
  },
) {
  const { commands, ids, directory, readStore, clock, repositories, paths, storages } = ports;

  async function isNameTaken(namespaceId: number, name: string): Promise<boolean> {
    const where = and(eq('namespaceId', namespaceId), eq('nameLower', name.toLowerCase()), eq('name', name));
    return (await readStore.count(projects, { where, atMost: 1 })) > 0;
  }

  const taken = (name: boolean, path: boolean) =>
    new Rejection('validation_failed', {
      fields: { ...(name ? { name: [TAKEN] } : {}), ...(path ? { path: [TAKEN] } : {}), limit_reached: [] },
    });

  return async (creation: Creation, principal: Principal, metadata: EventMetadata): Promise<number> => {
    const namespace = await creationNamespace(directory, principal, creation.namespaceId);
    await requireBelowLimit({ directory, readStore }, namespace);
    const branch = creation.defaultBranch ?? FIRST_BRANCH;
    if (!isValidBranchName(branch))
      throw new Rejection('validation_failed', { fields: { default_branch: ['is invalid'] } });
    const storage = creation.storage ?? storages.own;
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
      // With a README, the branch of its commit at once: one change, one event.
      defaultBranch: creation.withReadme ? branch : null,
      storage,
      settings: creation.settings,
      groupVisibility: namespace.kind === 'group' ? (namespace.visibility as Visibility) : null,
      storages: storages.all,
    });
    // What would be refused anyway claims nothing.
    projectDecider.decide(commandFor(0), projectDecider.initialState);
    // The gateway asks the instance that is to hold it: one that knows other storages than this one has not.
    if (storage !== storages.own) throw unavailable('the storage is held elsewhere', RETRY_S);
    const nameTaken = await isNameTaken(namespace.id, creation.name);
    const projectId = await ids.next('project');
    const place = { namespaceId: namespace.id, path: creation.path };
    try {
      await paths.claimed(projectId, place, metadata, async () => {
        if (nameTaken) throw taken(true, false);
        await repositories.create(projectId, branch);
        const command = commandFor(projectId);
        await commands.handle(projectDecider, projectStream(projectId), command, metadata, {
          mustBeNew: true,
        });
      });
    } catch (error) {
      if (error instanceof NameTakenError) throw taken(nameTaken, true);
      throw error;
    }
    if (creation.withReadme) {
      const { name, description } = creation;
      const readme = { projectId, branch, title: name, description, author: principal, date: clock() };
      await commitReadme(repositories, readme, metadata);
    }
    return projectId;
  };
}
