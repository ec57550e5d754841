import type { RefAdmission } from '@forgelog/contracts/repo/protected-branches/protected-branch.events.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';

/** The level that admits administrators of the instance alone. */
export const ADMINISTRATORS = 60;
const DEVELOPER = 30;

/** What admissions ask of a caller. */
export interface AdmittedCaller {
  level: number;
  userId: number | null;
  isAdmin: boolean;
  /** Groups of rules in which the caller is a Developer or more. */
  groupIds: ReadonlySet<number>;
}

const NO_GROUPS: ReadonlySet<number> = new Set();

export const withoutGroups = ({ level, userId, isAdmin }: ProjectGrant): AdmittedCaller => ({
  ...{ level, userId, isAdmin },
  groupIds: NO_GROUPS,
});

/** Synchronous unless rules admit groups. */
export function admittedCaller(
  grant: ProjectGrant,
  groupIds: readonly number[],
  directory: Pick<Directory, 'groupLevel'>,
): AdmittedCaller | Promise<AdmittedCaller> {
  const { userId } = grant;
  const caller = withoutGroups(grant);
  if (groupIds.length === 0 || userId === null) return caller;
  return Promise.all(
    groupIds.map(async (id) => ((await directory.groupLevel(userId, id)) >= DEVELOPER ? [id] : [])),
  ).then((ids) => ({ ...caller, groupIds: new Set(ids.flat()) }));
}

/** Whether one of the admissions is for the caller. Level 0 is nobody, whatever rights they have. */
export function isAdmitted(caller: AdmittedCaller, admissions: readonly RefAdmission[]): boolean {
  return admissions.some(({ accessLevel, userId, groupId }) => {
    if (userId !== null) return userId === caller.userId;
    if (groupId !== null) return caller.groupIds.has(groupId);
    if (accessLevel === null || accessLevel === 0) return false;
    return accessLevel === ADMINISTRATORS ? caller.isAdmin : caller.level >= accessLevel;
  });
}

/** Whether every Developer is admitted. */
export const admitsDevelopers = (admissions: readonly RefAdmission[]): boolean =>
  admissions.some(({ accessLevel }) => accessLevel !== null && accessLevel > 0 && accessLevel <= DEVELOPER);

export const levelAdmission = (accessLevel: number): RefAdmission => ({
  accessLevel,
  userId: null,
  groupId: null,
});
