import type { ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  archiveProject,
  createProject,
  createUserProject,
  deleteProject,
  getProject,
  listContributedProjects,
  listProjects,
  listStarredProjects,
  listUserProjects,
  restoreProject,
  starProject,
  transferProject,
  unarchiveProject,
  unstarProject,
  updateProject,
} from '@forgelog/contracts/repo/projects/project.api.ts';
import { findContributedProjects } from '@forgelog/contracts/tracker/activity-events/activity-event.operations.ts';
import { actingUser } from '@forgelog/directory/acting-user.ts';
import { parseIdOrPath } from '@forgelog/directory/authorizer.ts';
import type { DirectoryUser } from '@forgelog/directory/collections.ts';
import { allowedVisibility, requireVisibility, settingNow } from '@forgelog/directory/settings.ts';
import { and, eq, oneOf } from '@forgelog/eventing/query.ts';
import { type Answer, accepted, json, page as pageAnswer, unchanged } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { requireAvatar, storeAvatar } from '@forgelog/service-kit/avatar.ts';
import { askedDeletion, type Deletion } from '@forgelog/service-kit/deletion.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { requireUnmoved, scheduleMove } from '../storage-moves/storage-move.commands.ts';
import { projectMoved } from '../storage-moves/storage-move.decider.ts';
import { projects } from './project.collection.ts';
import { type ProjectCommand, projectDecider, projectStream } from './project.decider.ts';
import type { Listing } from './project.query.ts';
import type { Extras } from './project-caller.view.ts';
import { projectCreation } from './project-creation.commands.ts';
import { starredBy } from './project-filter.query.ts';
import { pathOfName } from './project-name.rules.ts';
import { requestedSettings } from './project-settings.rules.ts';
import { projectStarDecider, projectStarStream } from './project-star.decider.ts';
import { projectTransfer } from './project-transfer.commands.ts';
import { projectUpdate } from './project-update.commands.ts';

/** Only administrators choose a storage [L469]; it is ignored from others. */
const requestedStorage = (params: { repository_storage?: string | undefined }, caller: Principal) =>
  caller.isAdmin ? params.repository_storage : undefined;

const invalid = (field: string, problem: string) =>
  new Rejection('validation_failed', { fields: { [field]: [problem] } });

const YEAR_MS = 365 * 86_400_000;

export function projectRoutes(ports: RepoPorts): Implementation[] {
  const { commands, objects, readStore, directory, configuration, listing, answers } = ports;
  const { check, reserve, create } = projectCreation(ports);
  const update = projectUpdate(ports);
  const transfer = projectTransfer(ports);
  const isPremium = configuration.EDITION !== 'free';

  async function listed(asked: Listing): Promise<Answer> {
    const { items, next } = await listing(asked);
    return pageAnswer(items, next);
  }

  async function answerOf(id: number, principal: Principal | null, extras?: Extras): Promise<Answer> {
    const project = await readStore.get(projects, id);
    if (!project) throw new Rejection('not_found', { what: 'Project' });
    return json(await answers(project, principal, extras));
  }

  const turn = (type: 'ArchiveProject' | 'UnarchiveProject') => async (request: ApiRequest) => {
    const projectId = request.project.project.id;
    await commands.handle(projectDecider, projectStream(projectId), { type, projectId }, request.metadata);
    return answerOf(projectId, request.principal);
  };

  const star = (type: 'StarProject' | 'UnstarProject') => async (request: ApiRequest) => {
    const projectId = request.project.project.id;
    const { userId } = request.caller;
    const stream = projectStarStream(projectId, userId);
    const command = { type, projectId, userId };
    const { events } = await commands.handle(projectStarDecider, stream, command, request.metadata);
    return events.length === 0 ? unchanged() : answerOf(projectId, request.principal);
  };

  /** Creates a project as `owner`, and answers the caller. */
  async function created(
    params: Omit<ParamsOf<typeof createProject>, 'namespace_id'> & { namespace_id?: number | undefined },
    { caller, metadata }: ApiRequest,
    owner: Principal = caller,
  ): Promise<Answer> {
    requireAvatar(params.avatar);
    const { template_name: template } = params;
    if (params.import_url)
      throw invalid('import_url', 'is not allowed: projects cannot be imported from an address here');
    if (template) throw invalid('template_name', `'${template}' is unknown or invalid`);
    const name = params.name ?? params.path!;
    const creation = {
      name,
      path: params.path ?? pathOfName(name),
      namespaceId: params.namespace_id,
      description: params.description ?? null,
      visibility: await allowedVisibility(ports, {
        ...{ wanted: params.visibility, isAdmin: caller.isAdmin, fallback: 'default_project_visibility' },
      }),
      settings: {
        ...(await usualSettings()),
        ...requestedSettings(params, { isAdmin: caller.isAdmin, isPremium }, {}),
      },
      storage: requestedStorage(params, caller),
      defaultBranch: params.initialize_with_readme
        ? params.default_branch || (await settingNow(ports, 'default_branch_name')) || undefined
        : undefined,
      withReadme: params.initialize_with_readme,
    };
    if (!params.avatar) return answerOf(await create(creation, owner, metadata), caller);
    await check(creation, owner);
    const id = await reserve();
    creation.settings.avatar = await storeAvatar(objects, { kind: 'project', id }, params.avatar);
    return answerOf(await create(creation, owner, metadata, id), caller);
  }

  const adjourned = async () => ({
    clock: ports.clock,
    days: await settingNow(ports, 'deletion_adjourned_period'),
  });

  /** What the instance sets for new projects. */
  async function usualSettings(): Promise<Partial<ReturnType<typeof requestedSettings>>> {
    const path = await settingNow(ports, 'default_ci_config_path');
    return path ? { ci_config_path: path } : {};
  }

  async function userNamed(wanted: string): Promise<DirectoryUser> {
    const parsed = parseIdOrPath(wanted);
    const user =
      typeof parsed === 'number' ? await directory.user(parsed) : await directory.userByName(parsed);
    if (!user || user.state === 'deleted') throw new Rejection('not_found', { what: 'User' });
    return user;
  }

  /** A user whose profile the caller may read. */
  async function openUser(wanted: string, principal: Principal | null): Promise<DirectoryUser> {
    const user = await userNamed(wanted);
    const isHidden = user.privateProfile && !principal?.isAdmin && principal?.userId !== user.id;
    if (isHidden) throw new Rejection('not_found', { what: 'User' });
    return user;
  }

  return [
    implement(listProjects, async ({ params: filters, page, principal }) =>
      listed({ scope: and(), filters, page, principal, withoutSearch: 'created_at' }),
    ),

    implement(listUserProjects, async ({ params: filters, page, principal }) => {
      const scope = eq('namespaceId', (await userNamed(filters.user_id)).namespaceId);
      return listed({ scope, filters, page, principal, withoutSearch: 'created_at' });
    }),

    implement(listStarredProjects, async ({ params: filters, page, principal }) => {
      const user = await openUser(filters.user_id, principal);
      const scope = await starredBy(user.id, readStore);
      return listed({ scope, filters, page, principal, withoutSearch: 'created_at' });
    }),

    implement(listContributedProjects, async ({ params: filters, page, principal }) => {
      const { id: userId } = await openUser(filters.user_id, principal);
      const since = new Date(ports.clock().getTime() - YEAR_MS).toISOString();
      const asked = { userId, since };
      const { projectIds } = await ports.operations.call(findContributedProjects, asked, { principal });
      const scope = oneOf('id', projectIds);
      return listed({ scope, filters, page, principal, withoutSearch: 'created_at' });
    }),

    implement(getProject, async ({ params, project, principal }) =>
      answerOf(project.project.id, principal, params),
    ),

    implement(createProject, (request) => created(request.params, request as ApiRequest)),

    implement(createUserProject, async (request) => {
      const owner = await actingUser(directory, request.params.user_id);
      if (!owner) throw new Rejection('not_found', { what: 'User' });
      return created(request.params, request as ApiRequest, owner);
    }),

    implement(updateProject, async ({ params, project, caller, metadata }) => {
      const { visibility: now } = project.project;
      await requireVisibility(ports, { wanted: params.visibility, now, isAdmin: caller.isAdmin });
      const place = { kind: 'project' as const, id: project.project.id };
      const avatar = await storeAvatar(objects, place, params.avatar);
      const wantedStorage = requestedStorage(params, caller);
      const isMove = wantedStorage !== undefined && wantedStorage !== project.project.storage;
      if (isMove) await requireUnmoved(ports, project.project.id);
      // What is stored before a move holds writes goes with the project.
      const release = params.avatar ? await ports.repositories.write(place.id) : () => {};
      await update(
        project,
        {
          name: params.name,
          path: params.path,
          description: params.description,
          visibility: params.visibility,
          defaultBranch: params.default_branch,
          settings: (current) => ({
            ...requestedSettings(params, { isAdmin: caller.isAdmin, isPremium }, current),
            ...(avatar === undefined ? {} : { avatar }),
            ...(params.import_url === undefined ? {} : { import_url: params.import_url }),
          }),
          storage: wantedStorage,
        },
        metadata,
      ).finally(release);
      if (isMove) {
        const { id, storage: source } = project.project;
        await scheduleMove(ports, projectMoved(id), { source, destination: wantedStorage }, metadata);
      }
      return answerOf(project.project.id, caller);
    }),

    implement(transferProject, async ({ params, project, caller, metadata }) => {
      await transfer(project.project, params.namespace, caller, metadata);
      return answerOf(project.project.id, caller);
    }),

    implement(deleteProject, async ({ params, project, metadata }) => {
      const { id: projectId, fullPath } = project.project;
      const deletion = askedDeletion({ params, fullPath, what: 'project' }, await adjourned());
      const command = deletionCommand(deletion, projectId);
      await commands.handle(projectDecider, projectStream(projectId), command, metadata);
      return accepted();
    }),

    implement(restoreProject, async ({ project, caller, metadata }) => {
      const { id: projectId, namespaceId } = project.project;
      if ((await directory.marked()).groups.has(namespaceId))
        throw new Rejection('refused', {
          message: 'A group above the project is marked for deletion. Restore the group first.',
        });
      const command = { type: 'CancelProjectDeletion', projectId } as const;
      await commands.handle(projectDecider, projectStream(projectId), command, metadata);
      return answerOf(projectId, caller);
    }),

    implement(archiveProject, turn('ArchiveProject')),
    implement(unarchiveProject, turn('UnarchiveProject')),
    implement(starProject, star('StarProject')),
    implement(unstarProject, star('UnstarProject')),
  ];
}

function deletionCommand(deletion: Deletion, projectId: number): ProjectCommand {
  if (deletion.way === 'at once') return { type: 'DeleteProject', projectId };
  if (deletion.way === 'marked') return { type: 'DeleteMarkedProject', projectId, now: null };
  return { type: 'ScheduleProjectDeletion', projectId, deletionDueAt: deletion.deletionDueAt };
}
