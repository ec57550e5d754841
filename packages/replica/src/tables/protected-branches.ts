import { defineRecords, flag, json, type Part, reference, text, whole } from '../table.ts';

export const protectedBranches: Part = {
  events: { ProtectedBranchCreated: 1, ProtectedBranchUpdated: 1, ProtectedBranchDeleted: 1 },
  records: [
    defineRecords({
      kind: 'ProtectedBranch',
      name: 'protected_branches',
      about: 'Names and wildcards of branches that only some may push to and merge into.',
      key: ['protected_branch_id'],
      columns: {
        protected_branch_id: whole('protectedBranchId', 'Id of the protected branch.'),
        project_id: reference('projectId', 'Id of the project.'),
        name: text('name', 'Name of the branches; `*` stands for any text.'),
        push_access: json('pushAccess', 'Levels, users and groups that may push'),
        merge_access: json('mergeAccess', 'Levels, users and groups that may merge'),
        unprotect_access: json('unprotectAccess', 'Levels, users and groups that may end the protection'),
        allow_force_push: flag('allowForcePush', 'Whether those who may push may also drop commits'),
        code_owner_approval_required: flag(
          'codeOwnerApprovalRequired',
          'Whether code owners must approve changes of their files',
        ),
      },
      compare: {
        select: 'SELECT * FROM protected_branches WHERE ended_at IS NULL',
        key: ['protected_branch_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const branch of api.list(`/projects/${project.id}/protected_branches`)) {
              const { id, name, allow_force_push, code_owner_approval_required } = branch;
              yield {
                ...{ protected_branch_id: id, project_id: project.id, name },
                ...{ allow_force_push, code_owner_approval_required },
              };
            }
        },
      },
    }),
  ],
};
