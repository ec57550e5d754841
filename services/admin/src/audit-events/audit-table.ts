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

const CONTENT = 'content of a project: what it is part of shows who did it';
const OWN = 'a list of its own user, which concerns nobody else';

/** Every event type that is none, and why. */
export const notAudited: Readonly<Record<string, string>> = {
  ProjectStarred: 'a liking of one person, no privileged change',
  ProjectUnstarred: 'a liking of one person, no privileged change',
  IdsReserved: 'housekeeping of the system',
  NameClaimed: 'part of creating or renaming what the name is of, which is audited',
  NameReleased: 'part of deleting or renaming what the name was of, which is audited',
  ProjectCreationAbandoned: 'end of what never came to be',
  RepositoryMeasured: 'follows from a change of the repository',
  RefUpdated: CONTENT,
  IssueOpened: CONTENT,
  IssueUpdated: CONTENT,
  IssueClosed: CONTENT,
  IssueReopened: CONTENT,
  IssueTimeEstimateSet: CONTENT,
  IssueTimeSpentAdded: CONTENT,
  IssueTimeSpentReset: CONTENT,
  DiscussionStarted: CONTENT,
  NoteAdded: CONTENT,
  NoteEdited: CONTENT,
  NoteDeleted: CONTENT,
  TodoCreated: OWN,
  TodoDone: OWN,
};
