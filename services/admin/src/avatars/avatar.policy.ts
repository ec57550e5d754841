import { GroupDeleted, GroupUpdated } from '@forgelog/contracts/admin/groups/group.events.ts';
import { UserDeleted, UserUpdated } from '@forgelog/contracts/admin/users/user.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { removeAvatar, removeAvatarsOf } from '@forgelog/service-kit/avatar-ends.ts';

/** An avatar goes when another one comes, and with its owner. Safe to repeat. */
export function avatarPolicies({ objects }: Pick<ServicePorts, 'objects'>): Policy[] {
  return [
    definePolicy({
      name: 'avatars-of-users-and-groups',
      handles: [UserUpdated, UserDeleted, GroupUpdated, GroupDeleted],
      actsAs: 'system',
      async react({ type: kind, data }, { signal }) {
        switch (kind) {
          case 'UserUpdated':
            return removeAvatar(objects, data.previous?.profile?.avatar_url);
          case 'UserDeleted':
            return removeAvatarsOf(objects, { kind: 'user', id: data.userId }, signal);
          case 'GroupUpdated':
            return removeAvatar(objects, data.previous?.settings?.avatar_url);
          case 'GroupDeleted':
            return removeAvatarsOf(objects, { kind: 'group', id: data.groupId }, signal);
          default:
            kind satisfies never;
        }
      },
    }),
  ];
}
