import type { Directory } from '@forgelog/directory/directory.ts';
import { and, type Condition, oneOf, or } from '@forgelog/eventing/query.ts';
import type { LabelScope } from '../labels/label-filter.query.ts';
import { NOTHING } from '../targets/target-filter.query.ts';

/* Issues are in records of groups (epics, iterations) as long as their project is in the group or below. */

/** Whether the project is in the group, or in one below. */
export async function isBelow(
  directory: Pick<Directory, 'project'>,
  projectId: number,
  groupId: number,
): Promise<boolean> {
  return (await directory.project(projectId))?.ancestors?.includes(groupId) ?? false;
}

/** Finds the issues of a list by the records of groups that they are in. */
export interface GroupScope {
  /** Records that issues of the list can be in. */
  records: Condition;
  /** Issues in one of these records, by its group. */
  issuesIn(idsByGroup: Iterable<readonly [groupId: number, ids: readonly number[]]>): Promise<Condition>;
}

/** @param field of the issue that names the record */
export async function groupScope(
  directory: Directory,
  scope: LabelScope,
  field: 'epicId' | 'iterationId',
): Promise<GroupScope> {
  const around = await groupsAround(directory, scope);
  return {
    records: await recordsOf(directory, scope, around),
    async issuesIn(idsByGroup) {
      const conditions: Condition[] = [];
      const everywhere: number[] = [];
      for (const [groupId, ids] of idsByGroup) {
        if (around.includes(groupId)) everywhere.push(...ids);
        else if (ids.length > 0)
          conditions.push(and(oneOf(field, ids), oneOf('projectId', await directory.projectsBelow(groupId))));
      }
      if (everywhere.length > 0) conditions.push(oneOf(field, everywhere));
      return conditions.length === 0 ? NOTHING : or(...conditions);
    },
  };
}

/** The group of the list or of its project, and those above: what is in the list is below them. */
async function groupsAround(directory: Directory, scope: LabelScope): Promise<readonly number[]> {
  if (scope === null) return [];
  if ('projectId' in scope) return (await directory.project(scope.projectId))?.ancestors ?? [];
  return [scope.groupId, ...((await directory.namespace(scope.groupId))?.ancestors ?? [])];
}

async function recordsOf(
  directory: Directory,
  scope: LabelScope,
  around: readonly number[],
): Promise<Condition> {
  if (scope === null) return and();
  if ('projectId' in scope) return oneOf('groupId', around);
  return oneOf('groupId', [...around, ...(await directory.groupsBelow(scope.groupId))]);
}
