import { Rejection } from '@forgelog/contracts/errors.ts';
import type { Configuration } from './configuration.ts';

/** How a project or group is deleted: at once, at once as it is marked already, or at a time (ISO 8601). */
export type Deletion = { way: 'at once' } | { way: 'marked' } | { way: 'later'; deletionDueAt: string };

interface Asked {
  params: { permanently_remove: boolean; full_path?: string | undefined };
  fullPath: string;
  what: 'project' | 'group';
}

const DAY_MS = 86_400_000;

export function askedDeletion(
  { params, fullPath, what }: Asked,
  ports: { configuration: Pick<Configuration, 'DELETION_ADJOURNED_PERIOD'>; clock: () => Date },
): Deletion {
  const { DELETION_ADJOURNED_PERIOD: days } = ports.configuration;
  if (days === 0) return { way: 'at once' };
  if (!params.permanently_remove)
    return { way: 'later', deletionDueAt: new Date(ports.clock().getTime() + days * DAY_MS).toISOString() };
  if (params.full_path !== fullPath)
    throw new Rejection('refused', {
      message: `\`full_path\` is incorrect. You must enter the complete path for the ${what}.`,
    });
  return { way: 'marked' };
}
