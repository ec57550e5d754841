import type { AnyEndpoint } from '@forgelog/contracts/endpoint.ts';
import { endpoints } from '@forgelog/contracts/endpoints.ts';
import type { PathValue } from '../fixtures/fixture.ts';
import { ROOT_TOKEN } from './calls.ts';
import type { Inhabited } from './inhabited.ts';

/** What changes or removes what others are asked for, and so is asked of what nobody else needs. */
const OF_THE_VICTIM = [
  'project-update',
  'project-delete',
  'project-archive',
  'project-unarchive',
  'group-update',
  'group-delete',
];
/** What removes its record: it is asked of one that is not there. */
const REMOVES = /-(delete|revoke|remove)$/;
const NOBODY = 999_999;

/** Values of an endpoint's path, so that most requests meet something. */
function valuesOf(id: string, path: string, world: Inhabited): Record<string, PathValue> {
  const victim = OF_THE_VICTIM.includes(id);
  const removes = REMOVES.test(id) && !victim;
  const record = (value: PathValue) => (removes ? NOBODY : value);
  const first = path.split('/')[1];
  const ids: Record<string, PathValue> = {
    projects: victim ? world.victimProjectId : world.projectId,
    groups: victim ? world.victimGroupId : world.groupId,
    users: world.victimId,
    audit_events: world.auditEventId,
    personal_access_tokens: record(world.tokenId),
    todos: world.todoId,
  };
  return {
    id: ids[first!] ?? NOBODY,
    project_id: world.projectId,
    user_id: record(first === 'users' ? world.victimId : world.userId),
    issue_iid: id === 'issue-delete' ? NOBODY : world.issueIid,
    note_id: record(world.noteId),
    discussion_id: world.discussionId,
    ...Object.fromEntries(Object.entries(world.inProject).map(([name, value]) => [name, record(value)])),
    audit_event_id: first === 'groups' ? world.groupAuditEventId : world.projectAuditEventId,
    sha: path.includes('/blobs/') ? world.blobSha : world.commitSha,
    branch: removes ? 'gone' : 'main',
    tag_name: removes ? 'gone' : 'v1.0.0',
    file_path: removes ? 'gone.txt' : 'README.md',
    format: 'zip',
  };
}

/** Where the document cannot say all that makes a request good, a refusal of one that follows it is none of a defect. */
function expectations({ id, path, rules, method }: AnyEndpoint): string[] {
  const inQuery = rules.length > 0 && (method === 'GET' || method === 'DELETE');
  const statuses = inQuery || REFUSES_MORE[id] ? [...ALLOWED, 400] : ALLOWED;
  return [
    '[operations.checks.positive_data_acceptance]',
    `expected-statuses = ${JSON.stringify(statuses)}`,
    ...(TAKES_MORE[id] ? ['[operations.checks.negative_data_rejection]', 'enabled = false'] : []),
    ...(OTHER_METHODS.test(path) ? WITHOUT_METHODS : []),
  ];
}

/**
 * What may come of a request that follows the document: success, somebody's rights, something that is not there, and
 * limits that no single parameter has: of an address, of a list's pages, of a body.
 */
const ALLOWED = ['2xx', '3xx', 401, 403, 404, 405, 409, 413, 414, 422, 429, 431, 503];

/** Addresses that are also those of a record or a file of that name, which take other methods. */
const OTHER_METHODS =
  /\/(members\/all|review_apps|self|features\/definitions|snippets\/public|badges\/(render|(coverage|pipeline)\.svg)|pipelines\/latest|runners\/(all|verify|reset_registration_token)|jobs\/request|artifacts\/keep|projects\/shared|wikis\/attachments)$/;
const WITHOUT_METHODS = ['unsupported_method', 'allow_header_conformance'].flatMap((check) => [
  `[operations.checks.${check}]`,
  'enabled = false',
]);

/** Endpoints that take what the document cannot call good: id → what that is. */
const TAKES_MORE: Readonly<Record<string, string>> = {
  'generic-package-upload': 'no body, which is an empty file',
  'debian-file-upload': 'no body, which is an empty file',
};

/** Endpoints whose rules are about what there is, or about texts as a whole: id → what the document cannot say. */
const REFUSES_MORE: Readonly<Record<string, string>> = {
  'user-project-create': 'names are taken',
  'application-create': 'addresses and scopes have forms of their own',
  'suggestion-apply': 'lines are as they were',
  'suggestion-batch-apply': 'lines are as they were, and no two overlap',
  'project-fork': 'a namespace is named in one way',
  'project-label-create': 'colours have a form of their own',
  'group-label-create': 'colours have a form of their own',
  'project-label-promote': 'the project is in a group',
  'project-milestone-promote': 'the project is in a group',
  'project-label-update': 'titles are taken',
  'project-label-update-named': 'titles are taken',
  'group-label-update': 'titles are taken',
  'group-label-update-named': 'titles are taken',
  'mr-create': 'milestones are of the place',
  'mr-add-spent-time': 'durations have a form of their own',
  'mr-time-estimate': 'durations have a form of their own',
  'release-create': 'milestones do not exist yet',
  'release-link-create': 'names and addresses are taken',
  'commit-comment-create': 'a comment on a line names its file and its number',
  'commit-discussion-create': 'a position is that of a line of the commit',
  'commit-cherry-pick': 'commits conflict',
  'commit-revert': 'rules of the project on messages',
  'project-feature-flag-create': 'parameters are those of the strategy, and names are taken',
  'project-feature-flag-update': 'parameters are those of the strategy, and names are taken',
  'feature-flag-user-list-create': 'names are taken, and ids of users are there once',
  'feature-flag-user-list-update': 'names are taken, and ids of users are there once',
  'project-share': 'days are not past',
  'group-share': 'days are not past',
  'commit-status-create': 'a status moves on in one order',
  'gpg-key-create-own': 'keys have a form of their own',
  'ssh-key-create-own': 'keys are taken',
  'gpg-key-create': 'keys have a form of their own',
  'ssh-key-create': 'keys are taken',
  'deploy-key-create': 'keys are taken',
  'project-deploy-key-create': 'keys have a form of their own',
  'project-access-request-create': 'users ask once',
  'group-access-request-create': 'users ask once',
  'release-update': 'milestones do not exist yet',
  'submodule-update': 'paths are those of submodules',
  'project-transfer': 'the project is elsewhere',
  'project-restore': 'the project is marked for deletion',
  'group-restore': 'the group is marked for deletion',
  'audit-event-list': 'an id of an entity needs its type',
  'branch-create': 'names of branches follow the rules of git, and the start is there',
  'protected-branch-create': 'names are those of branches, and users and groups are there',
  'project-approvals-set': 'approvals ask for no password',
  'approval-rule-create': 'names are free, and users, groups and protected branches are there',
  'approval-rule-update': 'names are free, and users, groups and protected branches are there',
  'mr-approval-rule-create': 'names are free, and users and groups are there',
  'mr-approval-rule-update': 'names are free, and users and groups are there',
  'protected-tag-create': 'names are those of tags',
  'push-rule-create': 'expressions are a language of their own',
  'push-rule-update': 'expressions are a language of their own',
  'branch-protect': 'names of branches follow the rules of git',
  'branch-unprotect': 'names of branches follow the rules of git',
  'tag-create': 'names of tags follow the rules of git, and the start is there',
  'commit-create': 'each action fits the files that are there',
  'file-create': 'the branch is there, and the file is not',
  'file-update': 'the branch and the file are there',
  'file-delete': 'the branch and the file are there',
  'repo-changelog': 'versions follow one another',
  'repo-changelog-get': 'versions follow one another',
  'repo-merge-base': 'each ref is there',
  'project-create': 'names and paths are free, and paths follow rules of their own',
  'project-update': 'names and paths are free, and paths follow rules of their own',
  'group-create': 'names and paths are free, and paths follow rules of their own',
  'group-update': 'names and paths are free, and paths follow rules of their own',
  'user-create': 'usernames and addresses are free, and follow rules of their own',
  'user-update': 'usernames and addresses are free, and follow rules of their own',
  'project-deploy-token-create': 'a token has a scope',
  'group-deploy-token-create': 'a token has a scope',
  'generic-package-download': 'names have a form of their own',
  'personal-access-token-create': 'a token ends in the future',
  'impersonation-token-create': 'a token has a scope',
  'project-access-token-create': 'a token has a name and a scope, and ends in the future',
  'group-access-token-create': 'a token has a name and a scope, and ends in the future',
  'broadcast-message-create': 'messages end after they begin',
  'broadcast-message-update': 'messages end after they begin',
  ...Object.fromEntries(
    ['search', 'group-search', 'group-search-plain'].map((id) => [id, 'code is found by three characters']),
  ),
  'project-invitation-create': 'a membership ends in the future',
  'group-invitation-create': 'a membership ends in the future',
  'email-create-own': 'addresses have a form of their own, and are taken',
  'email-create': 'addresses have a form of their own, and are taken',
  'topic-create': 'names are taken',
  'topic-update': 'names are taken',
  'feature-set': 'names and percentages have a form of their own, and targets are there',
  'appearance-update': 'what nothing here shows is refused, and colours have a form of their own',
  'settings-update': 'a setting that is not supported keeps its value',
  'project-debian-distribution-create': 'names have a form of their own, and are taken',
  'project-debian-distribution-update': 'names have a form of their own, and are taken',
  'group-debian-distribution-create': 'names have a form of their own, and are taken',
  'group-debian-distribution-update': 'names have a form of their own, and are taken',
  'notification-settings-set': 'events act at one level alone, and mail goes to one address',
  'group-notification-settings-set': 'events act at one level alone',
  'project-notification-settings-set': 'events act at one level alone',
  ...Object.fromEntries(
    ['project', 'group', 'system'].flatMap((kind) => [
      [`${kind}-hook-create`, 'addresses and filters follow rules of their own'],
      [`${kind}-hook-update`, 'addresses and filters follow rules of their own'],
      [`${kind}-hook-test`, 'there is a record of the kind, and a receiver that answers'],
      [`${kind}-hook-event-resend`, 'a receiver answers'],
      [`${kind}-hook-replay`, 'a position is one of the log'],
    ]),
  ),
  'integration-set': 'a slug has parameters of its own',
  'newer-integration-set': 'a slug has parameters of its own',
  'generic-package-upload': 'names have a form of their own',
  'debian-file-upload': 'names have a form of their own, and so have files',
  'wiki-page-create': 'titles follow rules of their own, and are taken',
  'wiki-page-update': 'titles follow rules of their own, and are taken',
  'group-wiki-page-create': 'titles follow rules of their own, and are taken',
  'group-wiki-page-update': 'titles follow rules of their own, and are taken',
  ...Object.fromEntries(
    ['project', 'snippet', 'group'].flatMap((kind) =>
      [`${kind}-storage-move-all`, `one-${kind}-storage-move`].map((id) => [
        id,
        'a storage of that name is there',
      ]),
    ),
  ),
  'snippet-create': 'names of files follow rules of their own',
  'snippet-update': 'files are there, or are not',
  'project-snippet-create': 'names of files follow rules of their own',
  'project-snippet-update': 'files are there, or are not',
  'group-iteration-cadence-create': 'titles are free, and what makes iterations has days',
  'group-iteration-cadence-update': 'titles are free, and what makes iterations has days',
  'group-iteration-create': 'days follow one another, and a cadence is there',
  'group-iteration-update': 'days follow one another',
  'epic-create': 'days follow one another',
  'epic-update': 'days follow one another',
  'project-board-create': 'names are not blank',
  'project-board-update': 'names are not blank',
  'group-board-create': 'names are not blank',
  'group-board-update': 'names are not blank',
  'project-board-lists-create': 'what a list is of is of the place, and on the board once',
  'group-board-lists-create': 'what a list is of is of the place, and on the board once',
  'project-milestone-create': 'titles are free, and days follow one another',
  'project-milestone-update': 'titles are free, and days follow one another',
  'group-milestone-create': 'titles are free, and days follow one another',
  'group-milestone-update': 'titles are free, and days follow one another',
  'group-transfer': 'a group goes neither into itself nor to where it is',
  'group-project-transfer': 'a project goes where it is not yet',
  'group-member-add': 'a membership ends in the future, and users are there',
  'group-member-update': 'a membership ends in the future',
  'project-member-add': 'a membership ends in the future, and users are there',
  'project-member-update': 'a membership ends in the future',
  'issue-create': 'milestones and assignees are there, and what the words say',
  'issue-update': 'milestones and assignees are there, and what the words say',
  'issue-move': 'the other project is another one, and the caller a reporter there',
  'issue-reorder': 'the other issues are of the project',
  'issue-clone': 'the caller is a reporter in the other project',
  'issue-time-estimate': 'times are words of a language of their own',
  'issue-add-spent-time': 'times are words of a language of their own, and no more is taken than there is',
  'issue-link-create': 'an issue is not linked to itself',
  'issue-discussion-note-create': 'only threads are answered',
  'environment-create': 'names are free',
  'environment-update': 'names are free',
  'pipeline-schedule-create': 'cron expressions and time zones are languages of their own',
  'pipeline-schedule-update': 'cron expressions and time zones are languages of their own',
  'pipeline-schedule-variable-create': 'keys are free',
  'pipeline-schedule-variable-update': 'the variable is there',
  'pipeline-schedule-variable-delete': 'the variable is there',
  'project-variable-create': 'keys are free, and values of masked variables have a form of their own',
  'project-variable-update': 'values of masked variables have a form of their own',
  'group-variable-create': 'keys are free, and values of masked variables have a form of their own',
  'group-variable-update': 'values of masked variables have a form of their own',
  'instance-variable-create': 'keys are free, and values of masked variables have a form of their own',
  'instance-variable-update': 'values of masked variables have a form of their own',
  'pipeline-create': 'the ref has a configuration with jobs for it',
  'project-runner-enable': 'the runner works for the project only once',
  'user-runner-create': 'a runner of a group or project names it',
  'deployment-create': 'ids of commits have a form of their own',
  'deployment-update': 'statuses follow one another',
  'freeze-period-create': 'cron expressions and time zones are languages of their own',
  'freeze-period-update': 'cron expressions and time zones are languages of their own',
};

/** Words of an address of which the document says what they can be, so that the tester makes them up. */
const MADE_UP = new Set(['type', 'package_name', 'package_version', 'file_name']);

/** The configuration of schemathesis as TOML. */
export function schemathesisConfiguration(world: Inhabited): string {
  return [SETTINGS, ...endpoints.map((endpoint) => operationSettings(endpoint, world))].join('\n');
}

function operationSettings(endpoint: AnyEndpoint, world: Inhabited): string {
  const { id, path, pagination, cursor } = endpoint;
  const operation = `[[operations]]\ninclude-operation-id = "${id}"\n`;
  // It never ends.
  if (id.endsWith('event-stream')) return `${operation}enabled = false\n`;
  const values = valuesOf(id, path, world);
  const inPath = [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => name!);
  return [
    operation,
    '[operations.parameters]',
    ...inPath
      .filter((name) => !MADE_UP.has(name))
      .map((name) => `"path.${name}" = ${JSON.stringify(values[name] ?? NOBODY)}`),
    // The server seals cursors: nobody can make one up.
    ...(pagination === 'none' ? [] : [`"query.${cursor}" = ""`]),
    ...expectations(endpoint),
    '',
  ].join('\n');
}

const SETTINGS = `headers = { "PRIVATE-TOKEN" = "${ROOT_TOKEN}" }
suppress-health-check = ["all"]
continue-on-failure = true
request-timeout = 60
warnings = false
hooks = "schemathesis_hooks"

[generation]
# The caller is the same in every request.
with-security-parameters = false
# No text holds a NUL, which the document says once and not in a pattern of each text.
allow-x00 = false

[phases.stateful]
enabled = false

[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 409, 413, 414, 415, 422, 429, 431]
`;
