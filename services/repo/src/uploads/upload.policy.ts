import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { deleteBelow } from '@forgelog/object-store/delete-below.ts';
import type { RepoPorts } from '../ports.ts';
import { uploadsOf } from './upload-key.ts';

/** Uploads lie where the repository lies, and go with the project. Safe to repeat. */
export function uploadPolicies({ objects }: Pick<RepoPorts, 'objects'>): Policy[] {
  return [
    definePolicy({
      name: 'uploads-of-deleted-projects',
      handles: [ProjectDeleted],
      actsAs: 'system',
      async react({ data: { projectId } }, { signal }) {
        await deleteBelow(objects, uploadsOf(projectId), signal);
      },
    }),
  ];
}
