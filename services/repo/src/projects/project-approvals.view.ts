import { projectApprovalsView } from '@forgelog/contracts/repo/projects/project-approvals.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { given } from '@forgelog/service-kit/view-parts.ts';
import type { ProjectSettings } from './project-settings.rules.ts';

const flag = (name: string) => given((settings: ProjectSettings) => settings[name] === true);

export const projectApprovalsJson = implementView(projectApprovalsView).from<ProjectSettings>({
  approvers: given(() => []),
  approver_groups: given(() => []),
  approvals_before_merge: given((settings: ProjectSettings) => settings.approvals_before_merge as number),
  reset_approvals_on_push: flag('reset_approvals_on_push'),
  disable_overriding_approvers_per_merge_request: flag('disable_overriding_approvers_per_merge_request'),
  merge_requests_author_approval: flag('merge_requests_author_approval'),
  merge_requests_disable_committers_approval: flag('merge_requests_disable_committers_approval'),
  require_password_to_approve: false,
});
