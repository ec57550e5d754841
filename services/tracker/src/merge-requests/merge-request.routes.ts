import {
  createMergeRequest,
  deleteMergeRequest,
  getMergeRequest,
  updateMergeRequest,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { requireUnmodifiedSince } from '@forgelog/service-kit/precondition.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { quickActionCommands } from '../quick-actions/quick-action.commands.ts';
import { withWishes } from '../quick-actions/read-actions.ts';
import { requireTarget } from '../targets/target.access.ts';
import { requireMergeRequest } from './merge-request.access.ts';
import { mergeRequestCommandsFor } from './merge-request.commands.ts';
import { mergeRequestDecider, mergeRequestStream } from './merge-request.decider.ts';
import { mergeRequestTarget } from './merge-request.target.ts';
import { mergeabilityFor } from './mergeability.ts';
import { shownMergeRequests } from './shown-merge-requests.ts';

export function mergeRequestRoutes(ports: ServicePorts): Implementation[] {
  const { commands, readStore } = ports;
  const { create, update } = mergeRequestCommandsFor(ports);
  const actions = quickActionCommands(ports, mergeRequestTarget);
  const shown = shownMergeRequests(ports, mergeabilityFor(ports));

  const answerOf = async (project: ProjectGrant, caller: Principal, iid: number) =>
    json(await shown.single(await requireMergeRequest(readStore, project, iid), caller));

  return [
    implement(getMergeRequest, async ({ params, caller, project }) => {
      const row = await requireMergeRequest(readStore, project, params.merge_request_iid);
      const wanted = {
        divergedCommits: params.include_diverged_commits_count,
        rebaseInProgress: params.include_rebase_in_progress,
      };
      return json(await shown.single(row, caller, wanted));
    }),

    implement(createMergeRequest, async ({ params, caller, project, metadata }) => {
      const created = await create(params, project, caller, metadata);
      return answerOf(created.project, caller, created.iid);
    }),

    implement(updateMergeRequest, async (request) => {
      const { params, caller, project, metadata } = request;
      const target = await requireTarget(mergeRequestTarget, ports, request);
      const reading = params.description
        ? await actions.read(request, target, params.description)
        : undefined;
      const given = reading ? withWishes(params, reading) : params;
      await update(given, target.row, project, caller, metadata, reading?.times);
      if (reading) await actions.doDeeds(request, target, reading);
      return answerOf(project, caller, target.iid);
    }),

    implement(deleteMergeRequest, async ({ params, project, metadata, headers }) => {
      const { projectId, iid, updatedAt } = await requireMergeRequest(
        readStore,
        project,
        params.merge_request_iid,
      );
      requireUnmodifiedSince(headers, updatedAt);
      await commands.handle(
        mergeRequestDecider,
        mergeRequestStream(projectId, iid),
        { type: 'DeleteMergeRequest', projectId, iid },
        metadata,
      );
      return noContent();
    }),
  ];
}
