import { pushRuleView } from '@forgelog/contracts/repo/push-rules/push-rule.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import type { PushRuleRow } from './push-rules.projection.ts';

export const pushRuleJson = implementView(pushRuleView).from<PushRuleRow>({
  id: 'id',
  project_id: 'projectId',
  created_at: 'createdAt',
  commit_message_regex: 'commitMessageRegex',
  commit_message_negative_regex: 'commitMessageNegativeRegex',
  branch_name_regex: 'branchNameRegex',
  author_email_regex: 'authorEmailRegex',
  file_name_regex: 'fileNameRegex',
  max_file_size: 'maxFileSize',
  prevent_secrets: 'preventSecrets',
  deny_delete_tag: 'denyDeleteTag',
  member_check: 'memberCheck',
  commit_committer_check: 'commitCommitterCheck',
  reject_unsigned_commits: 'rejectUnsignedCommits',
});
