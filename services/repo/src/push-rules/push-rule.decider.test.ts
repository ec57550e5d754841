import type { PushRuleEvent } from '@forgelog/contracts/repo/push-rules/push-rule.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type PushRuleChanges, pushRuleDecider } from './push-rule.decider.ts';

const ids = { pushRuleId: 3, projectId: 7 };
const none = {
  ...{ commitMessageRegex: null, commitMessageNegativeRegex: null, branchNameRegex: null },
  ...{ authorEmailRegex: null, fileNameRegex: null, maxFileSize: 0 },
  ...{ preventSecrets: false, denyDeleteTag: false, memberCheck: false },
  ...{ commitCommitterCheck: false, rejectUnsignedCommits: false },
};
const created: PushRuleEvent = { type: 'PushRuleCreated', data: { ...ids, ...none, maxFileSize: 5 } };
const deleted: PushRuleEvent = { type: 'PushRuleDeleted', data: ids };
const create = (rules: PushRuleChanges) => ({ type: 'CreatePushRule', ...ids, rules }) as const;
const update = (changes: PushRuleChanges) => ({ type: 'UpdatePushRule', projectId: 7, changes }) as const;
const remove = { type: 'DeletePushRule', projectId: 7 } as const;

test('a project has one push rule, and another one after its deletion', () => {
  given(pushRuleDecider)
    .when(create({ maxFileSize: 5 }))
    .thenEvents(created);
  given(pushRuleDecider, created)
    .when(create({}))
    .thenRejected('unprocessable', { message: 'Project push rule exists' });
  given(pushRuleDecider, created, deleted)
    .when(create({ maxFileSize: 5 }))
    .thenEvents(created);
});

test('an update records only what differs, with the old values', () => {
  given(pushRuleDecider, created)
    .when(update({ maxFileSize: 5, fileNameRegex: '\\.exe$', memberCheck: undefined }))
    .thenEvents({
      type: 'PushRuleUpdated',
      data: { ...ids, changes: { fileNameRegex: '\\.exe$' }, previous: { fileNameRegex: null } },
    });
  given(pushRuleDecider, created)
    .when(update({ maxFileSize: 5 }))
    .thenEvents();
});

test('expressions must be of RE2 and not too large, and all problems are reported at once', () => {
  const message = ['is not a valid RE2 expression'];
  given(pushRuleDecider)
    .when(create({ commitMessageRegex: '(', fileNameRegex: '(?=x)', branchNameRegex: '((a{90}){9}){9}' }))
    .thenRejected('validation_failed', {
      message: { commit_message_regex: message, branch_name_regex: message, file_name_regex: message },
    });
  given(pushRuleDecider, created)
    .when(update({ authorEmailRegex: '[' }))
    .thenRejected('validation_failed', { message: { author_email_regex: message } });
});

test('what is not there is not found', () => {
  given(pushRuleDecider, created).when(remove).thenEvents(deleted);
  given(pushRuleDecider, created, deleted).when(remove).thenRejected('not_found');
  given(pushRuleDecider)
    .when(update({ maxFileSize: 1 }))
    .thenRejected('not_found', { message: '404 Push Rule Not Found' });
});
