import type { DescribedRecord } from '@forgelog/contracts/shared/described-record.ts';
import { and, desc, eq, oneOf } from '@forgelog/eventing/query.ts';

export function describedRow({ projectIds, id }: DescribedRecord) {
  const within = oneOf('projectId', projectIds);
  return { where: id === null ? within : and(eq('id', id), within), sort: [desc('id')], limit: 1 };
}
