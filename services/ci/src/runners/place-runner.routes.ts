import {
  disableProjectRunner,
  enableProjectRunner,
  listGroupRunners,
  listProjectRunners,
  resetGroupToken,
  resetInstanceToken,
  resetProjectToken,
} from '@forgelog/contracts/ci/runners/runner.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { type Answer, json, noContent } from '@forgelog/service-kit/answer.ts';
import type { RunnersPlace } from '@forgelog/service-kit/instance-key.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { mayChange, runnersFor } from './runner.access.ts';
import { runnerDecider, runnerStream } from './runner.decider.ts';
import { runnerList } from './runner.routes.ts';
import { registrationTokenJson, runnerJson, shownRunner } from './runner.view.ts';
import type { RunnerContacts } from './runner-contacts.ts';
import { runnerTokens } from './runner-tokens.ts';
import { runners } from './runners.projection.ts';
import { runnersTokenDecider, runnersTokenStream } from './runners-token.decider.ts';

/** Runners of a project or group, and the tokens that register them. */
export function placeRunnerRoutes(ports: ServicePorts, contacts: RunnerContacts): Implementation[] {
  const { commands, readStore, directory } = ports;
  const list = runnerList(ports, contacts);
  const view = runnerJson.renderer(ports);
  const tokenView = registrationTokenJson.renderer(ports);
  const tokens = runnerTokens(ports);

  async function reset(place: RunnersPlace, metadata: EventMetadata): Promise<Answer> {
    const command = { type: 'ResetRunnersToken', place } as const;
    await commands.handle(runnersTokenDecider, runnersTokenStream(place), command, metadata);
    return json(tokenView.one({ token: await tokens.registrationToken(place) }), { status: 201 });
  }

  return [
    implement(listProjectRunners, async ({ params, page, project }) => {
      const { id } = project.project;
      return list(params, page, runnersFor((await directory.project(id))?.ancestors ?? [], id));
    }),

    implement(listGroupRunners, async ({ params, page, group }) =>
      list(params, page, runnersFor((await directory.namespace(group.group.id))?.ancestors ?? [])),
    ),

    implement(enableProjectRunner, async ({ params, project, caller, metadata }) => {
      const runnerId = params.runner_id;
      const row = await readStore.get(runners, runnerId);
      if (!row) throw new Rejection('not_found', { what: 'Runner' });
      const isProjects = row.runnerType === 'project_type';
      if (isProjects && !(await mayChange(row, caller, directory)))
        throw new Rejection('forbidden', { reason: 'No access granted' });
      const projectId = project.project.id;
      const command = { type: 'EnableRunner', runnerId, projectId, evenIfLocked: caller.isAdmin } as const;
      await commands.handle(runnerDecider, runnerStream(runnerId), command, metadata);
      return json(view.one(shownRunner(row, contacts)));
    }),

    implement(disableProjectRunner, async ({ params, project, metadata }) => {
      const runnerId = params.runner_id;
      const command = { type: 'DisableRunner', runnerId, projectId: project.project.id } as const;
      await commands.handle(runnerDecider, runnerStream(runnerId), command, metadata);
      return noContent();
    }),

    implement(resetInstanceToken, async ({ metadata }) => reset({ kind: 'instance', id: 0 }, metadata)),

    implement(resetProjectToken, async ({ project, metadata }) =>
      reset({ kind: 'project', id: project.project.id }, metadata),
    ),

    implement(resetGroupToken, async ({ group, metadata }) =>
      reset({ kind: 'group', id: group.group.id }, metadata),
    ),
  ];
}
