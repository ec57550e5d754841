import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  forkProject,
  linkFork,
  listForks,
  unlinkFork,
} from '@forgelog/contracts/repo/projects/project-fork.api.ts';
import { grantProject, parseIdOrPath } from '@forgelog/directory/authorizer.ts';
import { forkChain } from '@forgelog/directory/fork-network.ts';
import { eq } from '@forgelog/eventing/query.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { type Answer, json, noContent, page as pageAnswer, unchanged } from '@forgelog/service-kit/answer.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { requireSameStorage } from '../shared/bring-commits.ts';
import { projects } from './project.collection.ts';
import { projectDecider, projectStream } from './project.decider.ts';
import { projectForking } from './project-fork.commands.ts';

export function projectForkRoutes(ports: RepoPorts): Implementation[] {
  const { commands, readStore, directory, listing, answers } = ports;
  const fork = projectForking(ports);

  async function answerOf(id: number, principal: Principal): Promise<Answer> {
    const project = await readStore.get(projects, id);
    if (!project) throw new Rejection('not_found', { what: 'Project' });
    return json(await answers(project, principal));
  }

  /** Finds a project whose repository the caller may read. @throws 404 for any other */
  async function readable(idOrPath: string, principal: Principal): Promise<ProjectGrant> {
    const parsed = parseIdOrPath(idOrPath);
    const found = await (typeof parsed === 'number'
      ? directory.project(parsed)
      : directory.projectByPath(parsed));
    const grant = found && (await grantProject(found, principal, directory));
    if (!grant?.can('repository')) throw new Rejection('not_found', { what: 'Source Project' });
    return grant;
  }

  /** The origin that still exists; null for none. */
  async function originOf(projectId: number) {
    const [, origin] = await forkChain(directory, projectId);
    return origin ?? null;
  }

  return [
    implement(forkProject, async ({ params, project, caller, metadata }) => {
      const { name, path, namespace, description, visibility } = params;
      const wanted = {
        ...{ name, path, description, visibility, mergeRequestsStay: params.mr_default_target_self },
        namespace:
          params.namespace_id ??
          params.namespace_path ??
          (namespace === undefined ? undefined : parseIdOrPath(namespace)),
      };
      return answerOf(await fork(project, wanted, caller, metadata), caller);
    }),

    implement(listForks, async ({ params: filters, page, project, principal }) => {
      const scope = eq('forkedFromId', project.project.id);
      const found = await listing({ scope, filters, page, principal, withoutSearch: 'created_at' });
      return pageAnswer(found.items, found.next);
    }),

    implement(linkFork, async ({ params, project: { project }, caller, metadata }) => {
      const { project: origin } = await readable(params.forked_from_id, caller);
      requireSameStorage(project, origin);
      // It would be a fork of itself.
      if ((await forkChain(directory, origin.id)).some(({ id }) => id === project.id))
        throw new Rejection('conflict', { message: 'Project already forked' });
      const stream = projectStream(project.id);
      const { state } = await commands.load(projectDecider, stream);
      const linked = state.status === 'present' ? state.forkedFromProjectId : null;
      const over = (await originOf(project.id)) ? null : linked;
      const command = { type: 'LinkFork' as const, projectId: project.id, originId: origin.id, over };
      await commands.handle(projectDecider, stream, command, metadata);
      return answerOf(project.id, caller);
    }),

    implement(unlinkFork, async ({ project: { project }, metadata }) => {
      // A deleted origin is none, as answers show it.
      if (!(await originOf(project.id))) return unchanged();
      const command = { type: 'UnlinkFork' as const, projectId: project.id };
      const { events } = await commands.handle(projectDecider, projectStream(project.id), command, metadata);
      return events.length === 0 ? unchanged() : noContent();
    }),
  ];
}
