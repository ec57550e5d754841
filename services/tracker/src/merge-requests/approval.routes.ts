import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  approveMergeRequest,
  getApprovalState,
  getApprovals,
  setApprovalsRequired,
  unapproveMergeRequest,
} from '@forgelog/contracts/tracker/merge-requests/approval.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { shownRuleState } from '../approval-rules/approval-rule.view.ts';
import { type ApprovalRuleRow, approvalRules } from '../approval-rules/approval-rules.projection.ts';
import { type ApprovalState, approvalStatesFor } from '../approval-rules/approval-states.query.ts';
import { requireChangeableRules } from '../approval-rules/changeable-rules.access.ts';
import { NO_WISHES } from '../labels/given-labels.rules.ts';
import { approvalStateJson, approvalsJson } from './approval.view.ts';
import { requireMergeRequest } from './merge-request.access.ts';
import { mergeRequestDecider, mergeRequestStream } from './merge-request.decider.ts';
import { mergeSettingsOf } from './merge-settings.projection.ts';
import { mergeabilityFor } from './mergeability.ts';
import { shownMergeRequests } from './shown-merge-requests.ts';

const MOST_SUGGESTED = 10;

export function approvalRoutes(ports: ServicePorts): Implementation[] {
  const { commands, directory, readStore, configuration } = ports;
  const { shown } = shownMergeRequests(ports, mergeabilityFor(ports));
  const statesOf = approvalStatesFor(ports);
  const view = approvalsJson.renderer(ports);
  const rulesView = approvalStateJson.renderer(ports);
  const hasRules = configuration.EDITION !== 'free';

  const find = ({ project, params }: ApiRequest) =>
    requireMergeRequest(readStore, project, params.merge_request_iid as number);

  async function approvalsOf(request: ApiRequest) {
    const { caller, project } = request;
    const row = await find(request);
    const [found] = await shown([row], caller);
    const approvals = (await statesOf([row], caller)).get(row.place)!;
    const suggestedIds = suggestedBy(approvals);
    const about = { approvals, hasRules, suggestedIds, callerId: caller.userId, level: project.level };
    return json(view.one({ ...found!, ...about }));
  }

  async function sourceOf(ruleId: number | null): Promise<ApprovalRuleRow | null> {
    const rule = ruleId === null ? undefined : await readStore.get(approvalRules, ruleId);
    const source =
      rule?.sourceRuleId == null ? undefined : await readStore.get(approvalRules, rule.sourceRuleId);
    return (source as ApprovalRuleRow | undefined) ?? null;
  }

  return [
    implement(getApprovals, (request) => approvalsOf(request)),

    implement(getApprovalState, async (request) => {
      const { caller } = request;
      const row = await find(request);
      const { overwritten, rules } = (await statesOf([row], caller)).get(row.place)!;
      const all = rules.map(async (rule) => shownRuleState(directory, rule, await sourceOf(rule.id), caller));
      return json(rulesView.one({ overwritten, rules: await Promise.all(all) }));
    }),

    implement(setApprovalsRequired, async (request) => {
      const { params, caller, project, metadata } = request;
      const row = await find(request);
      await requireChangeableRules(readStore, row, request);
      const { projectId, iid } = row;
      await commands.handle(
        mergeRequestDecider,
        mergeRequestStream(projectId, iid),
        {
          type: 'UpdateMergeRequest',
          ...{ projectId, iid, changes: { approvalsBeforeMerge: params.approvals_required } },
          actor: { userId: caller.userId, level: project.level },
          ...{ labels: NO_WISHES, stateEvent: null, tips: null, updatedAt: null },
        },
        metadata,
      );
      return approvalsOf(request);
    }),

    implement(approveMergeRequest, async (request) => {
      const row = await find(request);
      const { projectId, iid, sha } = row;
      const { params, caller, metadata } = request;
      if (params.sha !== undefined && params.sha !== sha)
        throw new Rejection('conflict', { message: `SHA does not match HEAD of source branch: ${sha}` });
      const state = (await statesOf([row], caller)).get(row.place)!;
      if (!state.mayApprove(caller.userId)) throw new Rejection('unauthorized');
      const settings = await mergeSettingsOf(readStore, projectId);
      const authorApproves = hasRules && settings.authorApproves;
      const resetsApprovals = hasRules && settings.resetsApprovals;
      await commands.handle(
        mergeRequestDecider,
        mergeRequestStream(projectId, iid),
        {
          type: 'ApproveMergeRequest',
          ...{ projectId, iid, userId: caller.userId, sha, authorApproves, resetsApprovals },
        },
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

/** Users whose approval is still missing, rule by rule. */
function suggestedBy({ rules, approvedByIds }: ApprovalState): number[] {
  const eligible = rules.filter(({ approved }) => !approved).flatMap(({ eligibleIds }) => eligibleIds);
  return [...new Set(eligible)].filter((id) => !approvedByIds.includes(id)).slice(0, MOST_SUGGESTED);
}
