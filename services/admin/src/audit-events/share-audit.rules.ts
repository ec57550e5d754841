import {
  GroupGroupLinkCreated,
  GroupGroupLinkDeleted,
} from '@forgelog/contracts/admin/group-group-links/group-group-link.events.ts';
import {
  ProjectGroupLinkCreated,
  ProjectGroupLinkDeleted,
} from '@forgelog/contracts/admin/project-group-links/project-group-link.events.ts';
import { roleTitle } from '../shared/role-titles.ts';
import { type AuditEntry, type AuditRule, audited, type KnownNames } from './audit-rule.ts';

async function about(entity: AuditEntry['entity'], groupId: number, known: KnownNames) {
  const { name } = await known.group(groupId);
  const target = { type: 'Group', id: groupId, details: name };
  return { entity, target } satisfies Pick<AuditEntry, 'entity' | 'target'>;
}

const ENDS = {
  removed: 'Took back the share with',
  expired: 'Ended by date the share with',
  deleted: 'Ended by deletion the share with',
} as const;

type Named = Awaited<ReturnType<typeof about>>;

function begun(named: Named, { accessLevel, expiresAt }: { accessLevel: number; expiresAt: string | null }) {
  const role = roleTitle(accessLevel);
  const until = expiresAt === null ? '' : ` until ${expiresAt}`;
  const message = `Shared with ${named.target.details} as ${role}${until}`;
  return { ...named, message, add: 'group_access', to: role };
}

function ended(named: Named, reason: keyof typeof ENDS) {
  const message = `${ENDS[reason]} ${named.target.details}`;
  return { ...named, message, change: 'group_access', to: 'none' };
}

const ofProject = ({ projectId, groupId }: { projectId: number; groupId: number }, known: KnownNames) =>
  about({ type: 'Project', id: projectId }, groupId, known);

const ofGroup = (
  { groupId, sharedWithGroupId }: { groupId: number; sharedWithGroupId: number },
  known: KnownNames,
) => about({ type: 'Group', id: groupId }, sharedWithGroupId, known);

export const shareAuditRules: readonly AuditRule[] = [
  audited(ProjectGroupLinkCreated, async ({ data }, known) => begun(await ofProject(data, known), data)),
  audited(ProjectGroupLinkDeleted, async ({ data }, known) =>
    ended(await ofProject(data, known), data.reason),
  ),
  audited(GroupGroupLinkCreated, async ({ data }, known) => begun(await ofGroup(data, known), data)),
  audited(GroupGroupLinkDeleted, async ({ data }, known) => ended(await ofGroup(data, known), data.reason)),
];
