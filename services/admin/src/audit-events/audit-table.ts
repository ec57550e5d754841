import type { AuditRule } from './audit-rule.ts';
import { memberAuditRules } from './member-audit-rules.ts';
import { placeAuditRules } from './place-audit-rules.ts';
import { projectAuditRules } from './project-audit-rules.ts';
import { userAuditRules } from './user-audit-rules.ts';

/** Every event type that is a privileged change. With `notAudited` it is the whole catalogue: a test holds it. */
export const auditRules: readonly AuditRule[] = [
  ...userAuditRules,
  ...memberAuditRules,
  ...placeAuditRules,
  ...projectAuditRules,
];

const CONTENT = 'content of a project: its own history tells who did it';

/** Every event type that is none, and why. */
export const notAudited: Readonly<Record<string, string>> = {
  IdsReserved: 'housekeeping of the system',
  NameClaimed: 'part of creating or renaming what the name is of, which is audited',
  NameReleased: 'part of deleting or renaming what the name was of, which is audited',
  RefUpdated: CONTENT,
};
