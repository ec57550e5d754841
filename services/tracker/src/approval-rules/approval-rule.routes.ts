import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createApprovalRule,
  deleteApprovalRule,
  getApprovalRule,
  listApprovalRules,
  updateApprovalRule,
} from '@forgelog/contracts/tracker/approval-rules/approval-rule.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { approvalBranches } from './approval-branches.projection.ts';
import { approvalRuleCommands } from './approval-rule.commands.ts';
import { projectApprovalRuleJson, shownProjectRule } from './approval-rule.view.ts';
import { type ApprovalRuleRow, approvalRules } from './approval-rules.projection.ts';

const MOST_BRANCHES = 10_000;

const placeOfProject = (projectId: number) => ({ projectId, mergeRequestId: null, mergeRequestIid: null });

/** Approval rules of projects. */
export function approvalRuleRoutes(ports: ServicePorts): Implementation[] {
  const { readStore, directory } = ports;
  const view = projectApprovalRuleJson.renderer(ports);
  const { create, update, remove } = approvalRuleCommands(ports);

  async function shown(rows: readonly ApprovalRuleRow[], projectId: number, caller: Principal) {
    const where = eq('projectId', projectId);
    const branches = await readStore.find(approvalBranches, { where, limit: MOST_BRANCHES });
    return Promise.all(rows.map((row) => shownProjectRule(directory, row, branches, caller)));
  }

  async function answerOf(id: number, projectId: number, caller: Principal) {
    const row = (await readStore.get(approvalRules, id)) as ApprovalRuleRow | undefined;
    if (row?.projectId !== projectId || row.mergeRequestId !== 0) throw new Rejection('record_not_found');
    return json(view.one((await shown([row], projectId, caller))[0]!));
  }

  return [
    implement(listApprovalRules, async ({ project, page, caller }) => {
      const projectId = project.project.id;
      const { documents, next } = await pageOf(readStore, approvalRules, {
        where: and(eq('projectId', projectId), eq('mergeRequestId', 0)),
        sort: [asc('id')],
        page,
      });
      const rows = await shown(documents as ApprovalRuleRow[], projectId, caller);
      return { kind: 'list', items: view.list(rows), next };
    }),

    implement(getApprovalRule, async ({ params, project, caller }) =>
      answerOf(params.approval_rule_id, project.project.id, caller),
    ),

    implement(createApprovalRule, async ({ params, project, caller, metadata }) => {
      const projectId = project.project.id;
      const kind = { type: params.rule_type, source: null };
      const id = await create(placeOfProject(projectId), params, kind, caller, metadata);
      return answerOf(id, projectId, caller);
    }),

    implement(updateApprovalRule, async ({ params, project, caller, metadata }) => {
      const projectId = project.project.id;
      const { approval_rule_id: id } = params;
      await update(placeOfProject(projectId), id, params, caller, metadata);
      return answerOf(id, projectId, caller);
    }),

    implement(deleteApprovalRule, async ({ params, project, metadata }) => {
      await remove(placeOfProject(project.project.id), params.approval_rule_id, metadata);
      return noContent();
    }),
  ];
}
