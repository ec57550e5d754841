import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import examples from './protected-branch.events.examples.json' with { type: 'json' };

/** One of three is given: everybody of a level, one user, or the members of a group. */
const admission = z.object({
  accessLevel: z
    .int()
    .nullable()
    .describe(
      'Least access level: 30 developer, 40 maintainer, 60 administrators of the instance, 0 nobody; null where a user or group is admitted.',
    ),
  userId: z.int().nullable().describe('Id of an admitted user; null for others.'),
  groupId: z.int().nullable().describe('Id of a group whose members are admitted; null for others.'),
});

/** One of those whom a rule admits. */
export type RefAdmission = z.output<typeof admission>;

const ids = {
  protectedBranchId: z.int().describe('Id of the protected branch.'),
  projectId,
  name: personal(z.string().describe('Name of the branches; `*` stands for any text.')),
};
const rules = {
  pushAccess: z.array(admission).describe('Who may push; one of these is enough.'),
  mergeAccess: z.array(admission).describe('Who may merge; one of these is enough.'),
  unprotectAccess: z
    .array(admission)
    .describe('Which Maintainers may change or end the protection; one of these is enough.'),
  allowForcePush: z.boolean().describe('Whether those who may push may also drop commits.'),
  codeOwnerApprovalRequired: z
    .boolean()
    .describe('Whether code owners must approve changes of their files before they are merged.'),
};

/** All protected branches of a project are one stream, because names are unique in it. */
const common = {
  subject: 'protectedBranches-<projectId>',
  service: 'repo',
  audit: privileged('Project', 'ProtectedBranch'),
  activity: 'unnamed',
} as const;

export const ProtectedBranchCreated = defineEvent({
  ...common,
  type: 'ProtectedBranchCreated',
  version: 1,
  description: 'Branches of a name, which may exist or not, were protected.',
  example: examples.ProtectedBranchCreated,
  schema: z.object({ ...ids, ...rules }),
});

export const ProtectedBranchUpdated = defineEvent({
  ...common,
  type: 'ProtectedBranchUpdated',
  version: 1,
  description: 'Rules of a protected branch changed.',
  example: examples.ProtectedBranchUpdated,
  schema: z.object({ ...ids, ...changed(rules) }),
});

export const ProtectedBranchDeleted = defineEvent({
  ...common,
  type: 'ProtectedBranchDeleted',
  version: 1,
  description: 'Branches of a name are no longer protected by it.',
  example: examples.ProtectedBranchDeleted,
  schema: z.object(ids),
});

export const protectedBranchEvents = [
  ProtectedBranchCreated,
  ProtectedBranchUpdated,
  ProtectedBranchDeleted,
] as const;
export type ProtectedBranchEvent = EventOf<(typeof protectedBranchEvents)[number]>;
