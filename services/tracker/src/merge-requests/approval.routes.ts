import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  approveMergeRequest,
  getApprovalState,
  getApprovals,
  unapproveMergeRequest,
} from '@forgelog/contracts/tracker/merge-requests/approval.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { approvalStateJson, approvalsJson } from './approval.view.ts';
import { requireMergeRequest } from './merge-request.access.ts';
import { mergeRequestDecider, mergeRequestStream } from './merge-request.decider.ts';
import { mergeSettingsOf } from './merge-settings.projection.ts';
import { approvalsRequired, mergeabilityFor } from './mergeability.ts';
import { shownMergeRequests } from './shown-merge-requests.ts';

export function approvalRoutes(ports: ServicePorts): Implementation[] {
  const { commands, readStore, configuration } = ports;
  const { shown } = shownMergeRequests(ports, mergeabilityFor(ports));
  const view = approvalsJson.renderer(ports);
  const rules = approvalStateJson.renderer(ports);

  const find = ({ project, params }: ApiRequest) =>
    requireMergeRequest(readStore, project, params.merge_request_iid as number);

  async function approvalsOf(request: ApiRequest) {
    const { caller, project } = request;
    const row = await find(request);
    const [found] = await shown([row], caller);
    const settings = await mergeSettingsOf(readStore, row.projectId);
    const required = approvalsRequired(row, settings, configuration.EDITION);
    return json(view.one({ ...found!, required, callerId: caller.userId, level: project.level }));
  }

  return [
    implement(getApprovals, (request) => approvalsOf(request)),

    implement(getApprovalState, async (request) => {
      await find(request);
      return json(rules.one({}));
    }),

    implement(approveMergeRequest, async (request) => {
      const { projectId, iid, sha } = await find(request);
      const { params, caller, metadata } = request;
      if (params.sha !== undefined && params.sha !== sha)
        throw new Rejection('conflict', { message: `SHA does not match HEAD of source branch: ${sha}` });
      await commands.handle(
        mergeRequestDecider,
        mergeRequestStream(projectId, iid),
        { type: 'ApproveMergeRequest', projectId, iid, userId: caller.userId, sha },
        metadata,
      );
      return approvalsOf(request);
    }),

    implement(unapproveMergeRequest, async (request) => {
      const { projectId, iid } = await find(request);
      await commands.handle(
        mergeRequestDecider,
        mergeRequestStream(projectId, iid),
        { type: 'RevokeApproval', projectId, iid, userId: request.caller.userId },
        request.metadata,
      );
      return approvalsOf(request);
    }),
  ];
}
