import { ProjectDeleted, ProjectUpdated } from '@forgelog/contracts/repo/projects/project.events.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { removeAvatar, removeAvatarsOf } from '@forgelog/service-kit/avatar-ends.ts';
import type { RepoPorts } from '../ports.ts';

/** An avatar goes when another one comes, and with its project. Safe to repeat. */
export function projectAvatarPolicies({ objects }: Pick<RepoPorts, 'objects'>): Policy[] {
  return [
    definePolicy({
      name: 'avatars-of-projects',
      handles: [ProjectUpdated, ProjectDeleted],
      actsAs: 'system',
      async react({ type: kind, data }, { signal }) {
        if (kind === 'ProjectUpdated') await removeAvatar(objects, data.previous?.settings?.avatar);
        else await removeAvatarsOf(objects, { kind: 'project', id: data.projectId }, signal);
      },
    }),
  ];
}
