import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createMergeRequestApprovalRule,
  deleteMergeRequestApprovalRule,
  getMergeRequestApprovalRule,
  listMergeRequestApprovalRules,
  updateMergeRequestApprovalRule,
} from '@forgelog/contracts/tracker/approval-rules/approval-rule.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { asc, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOfArray } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { requireMergeRequest } from '../merge-requests/merge-request.access.ts';
import type { MergeRequest } from '../merge-requests/merge-requests.collection.ts';
import { approvalRuleCommands } from './approval-rule.commands.ts';
import { MAX_APPROVAL_RULES } from './approval-rule.decider.ts';
import { mergeRequestApprovalRuleJson, shownMergeRequestRule } from './approval-rule.view.ts';
import { type ApprovalRuleRow, approvalRules } from './approval-rules.projection.ts';
import { approvalStatesFor } from './approval-states.query.ts';
import { requireChangeableRules } from './changeable-rules.access.ts';

/** Approval rules of merge requests. */
export function mergeRequestApprovalRuleRoutes(ports: ServicePorts): Implementation[] {
  const { readStore, directory } = ports;
  const view = mergeRequestApprovalRuleJson.renderer(ports);
  const { create, update, remove } = approvalRuleCommands(ports);
  const statesOf = approvalStatesFor(ports);

  const find = ({ project, params }: Pick<ApiRequest, 'project' | 'params'>) =>
    requireMergeRequest(readStore, project, params.merge_request_iid as number);

  /** One whose rules the caller may change. */
  async function findChangeable(request: Pick<ApiRequest, 'project' | 'params' | 'caller'>) {
    const row = await find(request);
    await requireChangeableRules(readStore, row, request);
    return row;
  }

  const placeOf = ({ projectId, id: mergeRequestId, iid: mergeRequestIid }: MergeRequest) => ({
    ...{ projectId, mergeRequestId, mergeRequestIid },
  });

  async function ruleOf(id: number): Promise<ApprovalRuleRow | null> {
    return ((await readStore.get(approvalRules, id)) as ApprovalRuleRow | undefined) ?? null;
  }

  async function shown(rule: ApprovalRuleRow, caller: Principal) {
    const source = rule.sourceRuleId === null ? null : await ruleOf(rule.sourceRuleId);
    return shownMergeRequestRule(directory, rule, source, caller);
  }

  /** Its own rules; those of its project that are for its target branch where it has none. */
  async function rulesOf(row: MergeRequest, principal: Principal): Promise<ApprovalRuleRow[]> {
    const where = eq('mergeRequestId', row.id);
    const own = await readStore.find(approvalRules, { where, sort: [asc('id')], limit: MAX_APPROVAL_RULES });
    if (own.length > 0) return own as ApprovalRuleRow[];
    const { rules } = (await statesOf([row], principal)).get(row.place)!;
    const found = await Promise.all(rules.flatMap(({ id }) => (id === null ? [] : [ruleOf(id)])));
    return found.filter((rule) => rule !== null);
  }

  async function answerOf(row: MergeRequest, id: number, caller: Principal) {
    const rule = (await rulesOf(row, caller)).find((one) => one.id === id);
    if (!rule) throw new Rejection('record_not_found');
    return json(view.one(await shown(rule, caller)));
  }

  /** @throws 400 for a rule that is not the project's */
  async function sourceOf(id: number | undefined, projectId: number): Promise<ApprovalRuleRow | null> {
    if (id === undefined) return null;
    const source = await ruleOf(id);
    if (source?.projectId !== projectId || source.mergeRequestId !== 0)
      throw new Rejection('validation_failed', {
        fields: { approval_project_rule_id: ['is no rule of the project'] },
      });
    return source;
  }

  return [
    implement(listMergeRequestApprovalRules, async (request) => {
      const { caller, page } = request;
      const rules = await rulesOf(await find(request), caller);
      const byId = [{ of: ({ id }: ApprovalRuleRow) => id, direction: 'asc' as const }];
      const ordered = rules.sort((a, b) => a.id - b.id);
      const { items, next } = pageOfArray(ordered, page, 'rules', byId);
      const rows = await Promise.all(items.map((rule) => shown(rule, caller)));
      return { kind: 'list', items: view.list(rows), next };
    }),

    implement(getMergeRequestApprovalRule, async (request) =>
      answerOf(await find(request), request.params.approval_rule_id, request.caller),
    ),

    implement(createMergeRequestApprovalRule, async (request) => {
      const { params, caller, metadata } = request;
      const row = await findChangeable(request);
      const source = await sourceOf(params.approval_project_rule_id, row.projectId);
      if (params.name === undefined && !source)
        throw new Rejection('validation_failed', { fields: { name: ["can't be blank"] } });
      const id = await create(placeOf(row), params, { type: undefined, source }, caller, metadata);
      return answerOf(row, id, caller);
    }),

    implement(updateMergeRequestApprovalRule, async (request) => {
      const { params, caller, metadata } = request;
      const row = await findChangeable(request);
      await update(placeOf(row), params.approval_rule_id, params, caller, metadata);
      return answerOf(row, params.approval_rule_id, caller);
    }),

    implement(deleteMergeRequestApprovalRule, async (request) => {
      const row = await findChangeable(request);
      await remove(placeOf(row), request.params.approval_rule_id, request.metadata);
      return noContent();
    }),
  ];
}
