import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createProtectedBranch,
  deleteProtectedBranch,
  getProtectedBranch,
  listProtectedBranches,
  updateProtectedBranch,
} from '@forgelog/contracts/repo/protected-branches/protected-branch.api.ts';
import { and, asc, eq, includes } from '@forgelog/eventing/query.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { admissionsOf } from './admissions.ts';
import { protectedBranchCommands } from './protected-branch.commands.ts';
import { protectedBranchJson, shownProtectedBranch } from './protected-branch.view.ts';
import { type ProtectedBranchRow, protectedBranches } from './protected-branches.projection.ts';

export function protectedBranchRoutes(ports: RepoPorts): Implementation[] {
  const { readStore, directory, configuration } = ports;
  const view = protectedBranchJson.renderer(ports);
  const isPremium = configuration.EDITION !== 'free';
  const protection = protectedBranchCommands(ports);

  async function answerOf(projectId: number, name: string, status = 200) {
    const row = await protection.find(projectId, name);
    if (!row) throw new Rejection('record_not_found');
    return json(view.one(await shownProtectedBranch(row, directory)), { status });
  }

  return [
    implement(listProtectedBranches, async ({ params, project, page }) => {
      const search = params.search ? [includes('name', params.search)] : [];
      const { documents, next } = await pageOf(readStore, protectedBranches, {
        where: and(eq('projectId', project.project.id), ...search),
        sort: [asc('id')],
        page,
      });
      const rows = documents as ProtectedBranchRow[];
      const shown = await Promise.all(rows.map((row) => shownProtectedBranch(row, directory)));
      return { kind: 'list', items: view.list(shown), next };
    }),

    implement(getProtectedBranch, async ({ params, project }) => answerOf(project.project.id, params.name)),

    implement(createProtectedBranch, async ({ params, project: grant, caller, metadata }) => {
      const projectId = grant.project.id;
      const about = { grant, caller, directory };
      const admissions = (
        right: string,
        level: number | undefined,
        named: Parameters<typeof admissionsOf>[1]['named'] | undefined,
      ) => admissionsOf(right, { level, named: (isPremium && named) || [] }, about);
      const { push_access_level, merge_access_level, unprotect_access_level } = params;
      const rules = {
        pushAccess: await admissions('Push', push_access_level, params.allowed_to_push),
        mergeAccess: await admissions('Merge', merge_access_level, params.allowed_to_merge),
        unprotectAccess: await admissions('Unprotect', unprotect_access_level, params.allowed_to_unprotect),
        allowForcePush: params.allow_force_push,
        codeOwnerApprovalRequired: isPremium && params.code_owner_approval_required,
      };
      const { name } = params;
      await protection.protect({ projectId, name, ...rules }, metadata);
      return answerOf(projectId, name, 201);
    }),

    implement(updateProtectedBranch, async ({ params, project: grant, metadata }) => {
      const { name } = params;
      const changes = {
        allowForcePush: params.allow_force_push,
        codeOwnerApprovalRequired: isPremium ? params.code_owner_approval_required : undefined,
      };
      await protection.change(grant, name, changes, metadata);
      return answerOf(grant.project.id, name);
    }),

    implement(deleteProtectedBranch, async ({ params, project: grant, metadata }) => {
      await protection.unprotect(grant, params.name, metadata);
      return noContent();
    }),
  ];
}
