import { Rejection } from '@forgelog/contracts/errors.ts';
import type { RefAdmission } from '@forgelog/contracts/repo/protected-branches/protected-branch.events.ts';
import { isVisibleGroup } from '@forgelog/directory/authorizer.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { levelAdmission } from '../refs/admission.rules.ts';

/** A level, user or group that is named for a right, as clients write it. */
export interface NamedAdmission {
  user_id?: number | undefined;
  group_id?: number | undefined;
  access_level?: number | undefined;
}

const MAINTAINERS = 40;

/**
 * The admissions of one right: the level, and who is named. Maintainers where neither is given.
 * @param right `Push`, `Merge` or `Unprotect`, for the text of a refusal
 * @throws 422 for an item without exactly one member, for somebody without access, and for a group that the caller does not see
 */
export async function admissionsOf(
  right: string,
  { level, named }: { level: number | undefined; named: readonly NamedAdmission[] },
  { grant, caller, directory }: { grant: ProjectGrant; caller: Principal; directory: Directory },
): Promise<RefAdmission[]> {
  const invalid = (problem: string) =>
    new Rejection('unprocessable', { message: [`${right} access levels ${problem}`] });

  async function admission({ user_id, group_id, access_level }: NamedAdmission): Promise<RefAdmission> {
    const given = [user_id, group_id, access_level].filter((value) => value !== undefined);
    if (given.length !== 1) throw invalid('need a user, a group or a level in each item');
    if (access_level !== undefined) return levelAdmission(access_level);
    if (user_id !== undefined) {
      const project = await directory.project(grant.project.id);
      if (!project || (await directory.projectLevel(user_id, project)) === 0)
        throw invalid('user is not a member of the project');
      return { accessLevel: null, userId: user_id, groupId: null };
    }
    if (!(await isVisibleGroup(directory, group_id!, caller)))
      throw invalid('group does not have access to the project');
    return { accessLevel: null, userId: null, groupId: group_id! };
  }

  const all = await Promise.all([
    ...(level === undefined ? [] : [levelAdmission(level)]),
    ...named.map(admission),
  ]);
  if (all.length === 0) return [levelAdmission(MAINTAINERS)];
  const byText = new Map(all.map((one) => [JSON.stringify(one), one]));
  return [...byText.values()];
}
