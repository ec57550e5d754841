import {
  createRunner,
  deleteRunner,
  getRunner,
  listAllRunners,
  listRunners,
  updateRunner,
} from '@forgelog/contracts/ci/runners/runner.api.ts';
import type { runnerFilters } from '@forgelog/contracts/ci/runners/runner.params.ts';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Decoded } from '@forgelog/contracts/params.ts';
import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, desc } from '@forgelog/eventing/query.ts';
import { type Answer, json, noContent } from '@forgelog/service-kit/answer.ts';
import { type PageRequest, pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { mayChange, ownRunners } from './runner.access.ts';
import { type RunnerPlace, runnerDecider, runnerStream } from './runner.decider.ts';
import { runnersWhere } from './runner.query.ts';
import { registeredRunnerJson, runnerDetailJson, runnerJson, shownRunner } from './runner.view.ts';
import type { RunnerContacts } from './runner-contacts.ts';
import { attributesOf, register } from './runner-registration.commands.ts';
import { type RunnerRow, runners } from './runners.projection.ts';

export type RunnerList = (
  filters: Decoded<typeof runnerFilters>,
  page: PageRequest,
  within: Condition,
) => Promise<Answer>;

/** The newest first. */
export function runnerList(ports: ServicePorts, contacts: RunnerContacts): RunnerList {
  const view = runnerJson.renderer(ports);
  return async (filters, page, within) => {
    const where = and(within, runnersWhere(filters, contacts));
    const { documents, next } = await pageOf(ports.readStore, runners, { where, sort: [desc('id')], page });
    return { kind: 'list', items: view.list(documents.map((row) => shownRunner(row, contacts))), next };
  };
}

export function runnerRoutes(ports: ServicePorts, contacts: RunnerContacts): Implementation[] {
  const { commands, readStore, directory } = ports;
  const authorizer = createAuthorizer(directory);
  const list = runnerList(ports, contacts);
  const detailView = runnerDetailJson.renderer(ports);
  const registeredView = registeredRunnerJson.renderer(ports);

  async function find(id: number): Promise<RunnerRow> {
    const row = await readStore.get(runners, id);
    if (!row) throw new Rejection('not_found', { what: 'Runner' });
    return row;
  }

  async function requireChange(id: number, principal: Principal): Promise<void> {
    if (!(await mayChange(await find(id), principal, directory)))
      throw new Rejection('forbidden', { reason: 'No access granted' });
  }

  async function answerOf(row: RunnerRow, principal: Principal): Promise<Answer> {
    const projects = [];
    for (const projectId of row.projectIds) {
      const project = await directory.project(projectId);
      if (!project || !(await authorizer.project(String(projectId), principal))) continue;
      const { id, name, fullName, path, fullPath } = project;
      projects.push({ id, name, name_with_namespace: fullName, path, path_with_namespace: fullPath });
    }
    const group =
      row.groupId === null ? undefined : (await authorizer.group(String(row.groupId), principal))?.group;
    const web_url = `${JSON.parse(`"${ports.host}"`)}/groups/${group?.fullPath}`;
    const groups = group ? [{ id: group.id, web_url, name: group.name }] : [];
    return json(detailView.one({ ...shownRunner(row, contacts), projects, groups }));
  }

  async function placeFor(
    { runner_type: runnerType, group_id: groupId, project_id: projectId }: Wanted,
    principal: Principal,
  ): Promise<RunnerPlace> {
    const missing = (name: string) =>
      new Rejection('invalid_parameters', { problems: [`${name} is missing`] });
    if (runnerType === 'instance_type') {
      if (!principal.isAdmin) throw new Rejection('forbidden', {});
      return { runnerType, groupId: null, projectId: null };
    }
    if (runnerType === 'group_type') {
      if (groupId === undefined) throw missing('group_id');
      const grant = await authorizer.group(String(groupId), principal);
      if (!grant) throw new Rejection('not_found', { what: 'Group' });
      if (grant.level < AccessLevel.owner) throw new Rejection('forbidden', {});
      return { runnerType, groupId, projectId: null };
    }
    if (projectId === undefined) throw missing('project_id');
    const grant = await authorizer.project(String(projectId), principal);
    if (!grant) throw new Rejection('not_found', { what: 'Project' });
    if (grant.level < AccessLevel.maintainer) throw new Rejection('forbidden', {});
    return { runnerType, groupId: null, projectId };
  }

  return [
    implement(listRunners, async ({ params, page, caller }) =>
      list(params, page, await ownRunners(caller, ports)),
    ),

    implement(listAllRunners, async ({ params, page }) => list(params, page, and())),

    implement(getRunner, async ({ params, caller }) => {
      const row = await find(params.id);
      if (row.runnerType !== 'instance_type') await requireChange(params.id, caller);
      return answerOf(row, caller);
    }),

    implement(updateRunner, async ({ params, caller, metadata }) => {
      const runnerId = params.id;
      await requireChange(runnerId, caller);
      const command = { type: 'UpdateRunner', runnerId, changes: attributesOf(params) } as const;
      await commands.handle(runnerDecider, runnerStream(runnerId), command, metadata);
      return answerOf(await find(runnerId), caller);
    }),

    implement(deleteRunner, async ({ params, caller, metadata }) => {
      const runnerId = params.id;
      await requireChange(runnerId, caller);
      const evenIfShared = caller.isAdmin;
      const command = { type: 'RemoveRunner', runnerId, reason: 'removed', evenIfShared } as const;
      await commands.handle(runnerDecider, runnerStream(runnerId), command, metadata);
      contacts.forget(runnerId);
      return noContent();
    }),

    implement(createRunner, async ({ params, caller, metadata }) =>
      json(registeredView.one(await register(ports, await placeFor(params, caller), params, metadata))),
    ),
  ];
}

interface Wanted {
  runner_type: RunnerPlace['runnerType'];
  group_id?: number | undefined;
  project_id?: number | undefined;
}
