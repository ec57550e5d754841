import { type ErrorDetails, Rejection } from '@forgelog/contracts/errors.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { ProjectGrant, Visibility } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { RepoPorts } from '../ports.ts';
import { projects } from './project.collection.ts';
import { OPENNESS } from './project.decider.ts';
import { projectCreation } from './project-creation.commands.ts';
import { mayCreateIn } from './project-namespace.access.ts';
import { type ProjectSettings, settingsOf } from './project-settings.rules.ts';

export interface WantedFork {
  name: string | undefined;
  path: string | undefined;
  /** Id or full path; undefined is the caller's own. */
  namespace: number | string | undefined;
  description: string | null | undefined;
  visibility: Visibility | undefined;
  mergeRequestsStay: boolean | undefined;
}

/** Besides the access level of each feature. */
const INHERITED = [
  'ci_config_path',
  'external_authorization_classification_label',
  'shared_runners_enabled',
  'suggestion_commit_message',
];

const inherited = (settings: ProjectSettings) =>
  Object.fromEntries(
    Object.entries(settings).filter(([name]) => name.endsWith('_access_level') || INHERITED.includes(name)),
  );

const leastOpen = (...all: readonly Visibility[]): Visibility =>
  all.reduce((least, one) => (OPENNESS[one] < OPENNESS[least] ? one : least));

/** Finds the namespace of a fork. @throws 404 if it is missing or not allowed; both answers are the same */
async function targetNamespace(directory: Directory, principal: Principal, wanted: WantedFork['namespace']) {
  const id = wanted ?? (await directory.user(principal.userId))?.namespaceId ?? 0;
  const found = await (typeof id === 'number' ? directory.namespace(id) : directory.namespaceByPath(id));
  if (!found || !(await mayCreateIn(directory, principal, found)))
    throw new Rejection('not_found', { what: 'Target Namespace' });
  return found;
}

/**
 * Forks a project that the caller may read. Returns the id of the fork.
 * @throws 403 if the project may not be forked, 404 for the namespace, 409 for names that are taken or not valid
 */
export function projectForking(ports: RepoPorts) {
  const { directory, readStore, repositories, forking } = ports;
  const { create } = projectCreation(ports);

  return async (
    { project, level }: ProjectGrant,
    wanted: WantedFork,
    principal: Principal,
    metadata: EventMetadata,
  ): Promise<number> => {
    const origin = await readStore.get(projects, project.id);
    if (!origin) throw new Rejection('not_found', { what: 'Project' });
    const { forking_access_level: access } = settingsOf(origin.settings as ProjectSettings);
    if (access === 'disabled' || (access === 'private' && level === 0))
      throw new Rejection('forbidden', { reason: 'You are not allowed to fork this project' });
    const namespace = await targetNamespace(directory, principal, wanted.namespace);
    const most = leastOpen(origin.visibility as Visibility, namespace.visibility as Visibility);
    const settings = inherited(origin.settings as ProjectSettings);
    const creation = {
      name: wanted.name ?? origin.name,
      path: wanted.path ?? origin.path,
      namespaceId: namespace.id,
      description: wanted.description === undefined ? origin.description : wanted.description,
      visibility: leastOpen(most, wanted.visibility ?? most),
      settings: wanted.mergeRequestsStay ? { ...settings, mr_default_target_self: true } : settings,
      // The packs are shared, so they are on one disk.
      storage: project.storage,
      defaultBranch: undefined,
      withReadme: false,
      fork: { ...(await forking.pointOf(project.id)), defaultBranch: project.defaultBranch },
    };
    try {
      return await create(creation, principal, metadata);
    } catch (error) {
      if (error instanceof Rejection && error.code === 'validation_failed')
        throw new Rejection('not_forked', error.details as ErrorDetails<'validation_failed'>);
      if (await repositories.isDeleted(project.id)) throw new Rejection('not_found', { what: 'Project' });
      throw error;
    }
  };
}
