import { type UserEvent, userEvents } from '@forgelog/contracts/admin/users/user.events.ts';
import { defineProjection, type Recorded } from '@forgelog/eventing/define-projection.ts';
import { type DirectoryUser, directoryUsers } from './collections.ts';

export const directoryUsersProjection = defineProjection<UserEvent>({
  name: 'directory-users',
  collections: [directoryUsers],
  handles: userEvents.map(({ type }) => type),
  async project(event, documents) {
    const current = await documents.get(directoryUsers, event.data.userId);
    const next = apply(current, event);
    if (next) documents.put(directoryUsers, next);
  },
});

function apply(current: DirectoryUser | undefined, event: Recorded<UserEvent>): DirectoryUser | undefined {
  if (event.type === 'UserCreated') {
    const { userId, namespaceId, username, name, email, admin, external, profile, confirmed, bot } =
      event.data;
    return {
      ...{ id: userId, namespaceId, username, name, email, admin, external },
      usernameLower: username.toLowerCase(),
      emailLower: email?.toLowerCase() ?? null,
      state: 'active',
      projectsLimit: profile.projects_limit ?? null,
      avatarUrl: profile.avatar_url ?? null,
      emailConfirmed: confirmed,
      bot,
      privateProfile: profile.private_profile ?? false,
    };
  }
  if (!current) return undefined;
  switch (event.type) {
    case 'UserUpdated': {
      const { username, name, email, admin, external, profile, confirmed } = event.data.changes;
      const { avatar_url: avatarUrl } = profile ?? {};
      return {
        ...current,
        username: username ?? current.username,
        usernameLower: (username ?? current.username).toLowerCase(),
        name: name ?? current.name,
        email: email ?? current.email,
        emailLower: email?.toLowerCase() ?? current.emailLower,
        admin: admin ?? current.admin,
        external: external ?? current.external,
        projectsLimit: profile?.projects_limit ?? current.projectsLimit,
        avatarUrl: avatarUrl === undefined ? current.avatarUrl : avatarUrl,
        emailConfirmed: confirmed ?? current.emailConfirmed,
        privateProfile: profile?.private_profile ?? current.privateProfile,
      };
    }
    case 'UserBlocked':
      return { ...current, state: 'blocked' };
    case 'UserDeactivated':
      return { ...current, state: 'deactivated' };
    case 'UserBanned':
      return { ...current, state: 'banned' };
    case 'UserUnblocked':
    case 'UserActivated':
    case 'UserUnbanned':
      return { ...current, state: 'active' };
    case 'UserDeleted':
      // Keep authored content; anonymise the user.
      return {
        ...current,
        username: 'ghost',
        usernameLower: null,
        name: 'Ghost User',
        email: null,
        emailLower: null,
        admin: false,
        state: 'deleted',
        avatarUrl: null,
        emailConfirmed: false,
      };
    default:
      return event satisfies never;
  }
}
