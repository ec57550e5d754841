import type { Scope } from '@forgelog/contracts/endpoint.ts';
import type { Role } from './world.ts';

/**
 * Who may call what: written from the specification, by hand, and not from the contracts that it is held against. An
 * endpoint without a row fails, and so does a row without an endpoint.
 *
 * - `anyone`, `user` (signed in), `administrator`;
 * - in a project or group: `visible` (whoever sees it, anonymous callers included), `code` (the same, and its code:
 *   guests of a private project do not see that), `signed-in` (whoever sees it and is somebody), or the least role.
 *
 * Where somebody may be more for what is his own (the author of a note), the row is about what is another's.
 * Refusals have one shape each: 401 for nobody, 404 for whoever does not see the place, 403 for whoever does.
 */
export type Needs =
  | 'anyone'
  | 'user'
  | 'administrator'
  | `${'project' | 'group'} ${'visible' | 'signed-in' | Role}`
  | 'project code';

/** Which tokens will do: any one of these scopes. */
export const SCOPES_OF = {
  read: ['api', 'read_api'],
  write: ['api'],
  user: ['api', 'read_api', 'read_user'],
  code: ['read_repository', 'api', 'read_api'],
} as const satisfies Record<string, readonly Scope[]>;

type Row = readonly [needs: Needs, scopes: keyof typeof SCOPES_OF];

export const RIGHTS: Readonly<Record<string, Row>> = {
  // instance
  'version-get': ['user', 'user'],
  'openapi-get': ['anyone', 'read'],
  'asyncapi-get': ['anyone', 'read'],
  'event-stream': ['administrator', 'read'],
  'audit-event-list': ['administrator', 'read'],
  'audit-event-get': ['administrator', 'read'],
  // users and their own things
  'user-list': ['anyone', 'user'],
  'user-get': ['anyone', 'user'],
  'user-create': ['administrator', 'write'],
  'user-update': ['administrator', 'write'],
  'user-delete': ['administrator', 'write'],
  'user-block': ['administrator', 'write'],
  'user-unblock': ['administrator', 'write'],
  'current-user': ['user', 'user'],
  'personal-access-token-create': ['administrator', 'write'],
  'personal-access-token-list': ['user', 'read'],
  'personal-access-token-revoke': ['user', 'write'],
  'event-list': ['user', 'user'],
  'user-event-list': ['anyone', 'user'],
  'user-project-list': ['anyone', 'read'],
  'todo-list': ['user', 'read'],
  'todo-done': ['user', 'write'],
  'todo-done-all': ['user', 'write'],
  // groups
  'group-list': ['anyone', 'read'],
  'group-create': ['user', 'write'],
  'group-get': ['group visible', 'read'],
  'group-update': ['group owner', 'write'],
  'group-delete': ['group owner', 'write'],
  'group-subgroup-list': ['group visible', 'read'],
  'group-descendant-list': ['group visible', 'read'],
  'group-project-list': ['group visible', 'read'],
  'group-shared-project-list': ['group visible', 'read'],
  'group-issue-list': ['group visible', 'read'],
  'group-member-list': ['group signed-in', 'read'],
  'group-member-all-list': ['group signed-in', 'read'],
  'group-member-get': ['group signed-in', 'read'],
  'group-member-all-get': ['group signed-in', 'read'],
  'group-member-add': ['group owner', 'write'],
  'group-member-update': ['group owner', 'write'],
  'group-member-remove': ['group owner', 'write'],
  'billable-member-list': ['group owner', 'read'],
  'billable-member-memberships': ['group owner', 'read'],
  'billable-member-remove': ['group owner', 'write'],
  'group-audit-event-list': ['group developer', 'read'],
  'group-audit-event-get': ['group owner', 'read'],
  // projects
  'project-list': ['anyone', 'read'],
  'project-create': ['user', 'write'],
  'project-get': ['project visible', 'read'],
  'project-update': ['project maintainer', 'write'],
  'project-delete': ['project owner', 'write'],
  'project-archive': ['project owner', 'write'],
  'project-unarchive': ['project owner', 'write'],
  'project-star': ['project signed-in', 'write'],
  'project-unstar': ['project signed-in', 'write'],
  'project-member-list': ['project signed-in', 'read'],
  'project-member-all-list': ['project signed-in', 'read'],
  'project-member-get': ['project signed-in', 'read'],
  'project-member-all-get': ['project signed-in', 'read'],
  'project-member-add': ['project maintainer', 'write'],
  'project-member-update': ['project maintainer', 'write'],
  'project-member-remove': ['project maintainer', 'write'],
  'project-audit-event-list': ['project developer', 'read'],
  'project-audit-event-get': ['project maintainer', 'read'],
  'project-event-list': ['project visible', 'read'],
  // repositories
  'repo-tree': ['project code', 'code'],
  'repo-blob': ['project code', 'code'],
  'repo-blob-raw': ['project code', 'code'],
  'repo-archive': ['project code', 'code'],
  'repo-archive-format': ['project code', 'code'],
  'repo-compare': ['project code', 'code'],
  'repo-contributors': ['project code', 'code'],
  'repo-merge-base': ['project code', 'code'],
  'repo-changelog': ['project developer', 'write'],
  'file-get': ['project code', 'code'],
  'file-head': ['project code', 'code'],
  'file-blame': ['project code', 'code'],
  'file-blame-head': ['project code', 'code'],
  'file-raw': ['project code', 'code'],
  'file-raw-head': ['project code', 'code'],
  'file-create': ['project developer', 'write'],
  'file-update': ['project developer', 'write'],
  'file-delete': ['project developer', 'write'],
  'branch-list': ['project code', 'code'],
  'branch-get': ['project code', 'code'],
  'branch-head': ['project code', 'code'],
  'branch-create': ['project developer', 'write'],
  'branch-delete': ['project developer', 'write'],
  'branch-delete-merged': ['project developer', 'write'],
  'tag-list': ['project code', 'code'],
  'tag-get': ['project code', 'code'],
  'tag-create': ['project developer', 'write'],
  'tag-delete': ['project developer', 'write'],
  'commit-list': ['project code', 'code'],
  'commit-create': ['project developer', 'write'],
  'commit-get': ['project code', 'code'],
  'commit-diff': ['project code', 'code'],
  'commit-refs': ['project code', 'code'],
  // issues
  'issue-list': ['user', 'read'],
  'project-issue-list': ['project visible', 'read'],
  'issue-get': ['project visible', 'read'],
  'issue-create': ['project signed-in', 'write'],
  'issue-update': ['project reporter', 'write'],
  'issue-delete': ['project owner', 'write'],
  'issue-related-mrs': ['project visible', 'read'],
  'issue-time-estimate': ['project reporter', 'write'],
  'issue-reset-time-estimate': ['project reporter', 'write'],
  'issue-add-spent-time': ['project reporter', 'write'],
  'issue-reset-spent-time': ['project reporter', 'write'],
  'issue-time-stats': ['project visible', 'read'],
  'issue-todo': ['project signed-in', 'write'],
  'issue-discussion-list': ['project visible', 'read'],
  'issue-discussion-get': ['project visible', 'read'],
  'issue-discussion-create': ['project signed-in', 'write'],
  'issue-discussion-note-create': ['project signed-in', 'write'],
  'issue-discussion-note-get': ['project visible', 'read'],
  'issue-discussion-note-update': ['project maintainer', 'write'],
  'issue-discussion-note-delete': ['project maintainer', 'write'],
  'issue-note-list': ['project visible', 'read'],
  'issue-promote-note': ['project signed-in', 'write'],
  'issue-note-get': ['project visible', 'read'],
  'issue-note-update': ['project maintainer', 'write'],
  'issue-note-delete': ['project maintainer', 'write'],
  // deployments
  'environment-list': ['project reporter', 'read'],
  'environment-get': ['project reporter', 'read'],
  'environment-create': ['project developer', 'write'],
  'environment-update': ['project developer', 'write'],
  'environment-delete': ['project developer', 'write'],
  'environment-delete-review-apps': ['project developer', 'write'],
  'environment-stop': ['project developer', 'write'],
  'freeze-period-list': ['project maintainer', 'read'],
  'freeze-period-get': ['project maintainer', 'read'],
  'freeze-period-create': ['project maintainer', 'write'],
  'freeze-period-update': ['project maintainer', 'write'],
  'freeze-period-delete': ['project maintainer', 'write'],
};
