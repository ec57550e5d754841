import {
  ProjectGroupLinkCreated,
  ProjectGroupLinkDeleted,
} from '@forgelog/contracts/admin/project-group-links/project-group-link.events.ts';
import { roleTitle } from '../shared/role-titles.ts';
import { type AuditEntry, type AuditRule, audited, type KnownNames } from './audit-rule.ts';

async function about({ projectId, groupId }: { projectId: number; groupId: number }, known: KnownNames) {
  const { name } = await known.group(groupId);
  return {
    entity: { type: 'Project', id: projectId },
    target: { type: 'Group', id: groupId, details: name },
  } satisfies Pick<AuditEntry, 'entity' | 'target'>;
}

const ENDS = {
  removed: 'Took back the share with',
  expired: 'Ended by date the share with',
  deleted: 'Ended by deletion the share with',
} as const;

export const projectShareAuditRules: readonly AuditRule[] = [
  audited(ProjectGroupLinkCreated, async ({ data }, known) => {
    const named = await about(data, known);
    const role = roleTitle(data.accessLevel);
    const until = data.expiresAt === null ? '' : ` until ${data.expiresAt}`;
    const message = `Shared with ${named.target.details} as ${role}${until}`;
    return { ...named, message, add: 'group_access', to: role };
  }),
  audited(ProjectGroupLinkDeleted, async ({ data }, known) => {
    const named = await about(data, known);
    const message = `${ENDS[data.reason]} ${named.target.details}`;
    return { ...named, message, change: 'group_access', to: 'none' };
  }),
];
