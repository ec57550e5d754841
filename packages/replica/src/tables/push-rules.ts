import { defineRecords, flag, type Part, reference, text, whole } from '../table.ts';

export const pushRules: Part = {
  events: { PushRuleCreated: 1, PushRuleUpdated: 1, PushRuleDeleted: 1 },
  records: [
    defineRecords({
      kind: 'PushRule',
      name: 'push_rules',
      about: 'What may be pushed to a project.',
      key: ['push_rule_id'],
      columns: {
        push_rule_id: whole('pushRuleId', 'Id of the push rule.'),
        project_id: reference('projectId', 'Id of the project.'),
        commit_message_regex: text('commitMessageRegex', 'What commit messages must match.'),
        commit_message_negative_regex: text(
          'commitMessageNegativeRegex',
          'What commit messages must not match.',
        ),
        branch_name_regex: text('branchNameRegex', 'What names of branches must match.'),
        author_email_regex: text('authorEmailRegex', 'What addresses of authors must match.'),
        file_name_regex: text('fileNameRegex', 'What names of new files must not match.'),
        max_file_size: whole('maxFileSize', 'Largest size of a new file in MiB; 0 for any.'),
        prevent_secrets: flag('preventSecrets', 'Whether files that are named like keys are refused'),
        deny_delete_tag: flag('denyDeleteTag', 'Whether git may not delete tags'),
        member_check: flag('memberCheck', 'Whether authors must be users of the instance'),
        commit_committer_check: flag(
          'commitCommitterCheck',
          'Whether people may only push commits that they committed',
        ),
        reject_unsigned_commits: flag(
          'rejectUnsignedCommits',
          'Whether pushed commits must have a signature',
        ),
      },
    }),
  ],
};
