import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, eq, oneOf, or } from '@forgelog/eventing/query.ts';
import { type CiVariableRow, ciVariables } from './ci-variables.projection.ts';
import { opened, variableSealer } from './open-variables.ts';

const MOST = 100_000;

export interface JobOwner {
  projectId: number;
  /** Groups above the project, the outermost first. */
  groupIds: readonly number[];
  /** Whether the ref is protected; other jobs never touch protected values. */
  isProtected: boolean;
}

/** Returns the `VariableLevels` of a project, among which `configuredVariables` chooses by a job's environment. */
export function variablesForJobs({
  readStore,
  configuration,
}: Pick<ServicePorts, 'readStore' | 'configuration'>) {
  const sealer = variableSealer({ configuration });

  const configured = (row: CiVariableRow) => ({
    key: row.key,
    value: opened(row, sealer).value,
    masked: row.masked,
    file: row.variableType === 'file',
    protected: row.protected,
    environmentScope: row.environmentScope,
  });

  return async ({ projectId, groupIds, isProtected }: JobOwner) => {
    const places = [
      eq('projectId', projectId),
      and(eq('projectId', null), or(eq('groupId', null), oneOf('groupId', groupIds))),
    ];
    const rows = await readStore.find(ciVariables, {
      where: and(or(...places), ...(isProtected ? [] : [eq('protected', false)])),
      sort: [asc('id')],
      limit: MOST,
    });
    const where = (holds: (row: CiVariableRow) => boolean) => rows.filter(holds).map(configured);
    return {
      instance: where((row) => row.projectId === null && row.groupId === null),
      groups: groupIds.map((groupId) => where((row) => row.groupId === groupId)),
      project: where((row) => row.projectId === projectId),
    };
  };
}
