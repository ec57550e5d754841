import { Rejection } from '@forgelog/contracts/errors.ts';

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
  /** @param days how long what is deleted can be restored */
  { days, clock }: { days: number; clock: () => Date },
): Deletion {
  if (days === 0) return { way: 'at once' };
  if (!params.permanently_remove)
    return { way: 'later', deletionDueAt: new Date(clock().getTime() + days * DAY_MS).toISOString() };
  if (params.full_path !== fullPath)
    throw new Rejection('refused', {
      message: `\`full_path\` is incorrect. You must enter the complete path for the ${what}.`,
    });
  return { way: 'marked' };
}
