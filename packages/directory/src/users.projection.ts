import { type UserEvent, userEvents } from '@forgelog/contracts/admin/user.events.ts';
import { defineProjection, type Recorded } from '@forgelog/eventing/define-projection.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { ref, TextRef, writeReadyJson } from '@forgelog/service-kit/ready-json.ts';
import { type DirectoryUser, directoryUsers } from './collections.ts';

export const directoryUsersProjection = defineProjection<UserEvent>({
  name: 'directory-users',
  collections: [directoryUsers],
  handles: userEvents.map(({ type }) => type),
  async project(event, documents) {
    const current = await documents.get(directoryUsers, event.data.userId);
    const next = apply(current, event);
    if (next) store(documents, next.user, next.avatarUrl);
  },
});

function apply(
  current: DirectoryUser | undefined,
  event: Recorded<UserEvent>,
): { user: DirectoryUser; avatarUrl: string | null | undefined } | undefined {
  if (event.type === 'UserCreated') {
    const { userId, namespaceId, username, name, email, admin, external, profile } = event.data;
    const user = { id: userId, namespaceId, username, name, email, admin, external, state: 'active' };
    return {
      user: {
        ...user,
        usernameLower: username.toLowerCase(),
        projectsLimit: profile.projects_limit ?? null,
        body: '',
      },
      avatarUrl: profile.avatar_url ?? null,
    };
  }
  if (!current) return undefined;
  switch (event.type) {
    case 'UserUpdated': {
      const { username, name, email, admin, external, profile } = event.data.changes;
      return {
        user: {
          ...current,
          username: username ?? current.username,
          usernameLower: (username ?? current.username!).toLowerCase(),
          name: name ?? current.name,
          email: email ?? current.email,
          admin: admin ?? current.admin,
          external: external ?? current.external,
          projectsLimit: profile?.projects_limit ?? current.projectsLimit,
        },
        avatarUrl: profile?.avatar_url,
      };
    }
    case 'UserBlocked':
      return { user: { ...current, state: 'blocked' }, avatarUrl: undefined };
    case 'UserUnblocked':
      return { user: { ...current, state: 'active' }, avatarUrl: undefined };
    case 'UserDeleted':
      // Keep authored content; anonymise the user.
      return {
        user: {
          ...current,
          username: 'ghost',
          usernameLower: null,
          name: 'Ghost User',
          email: null,
          admin: false,
          state: 'deleted',
        },
        avatarUrl: null,
      };
    default:
      return event satisfies never;
  }
}

/** @param avatarUrl undefined keeps the stored URL */
function store(
  documents: ProjectionDocuments,
  user: DirectoryUser,
  avatarUrl: string | null | undefined,
): void {
  const kept = user.body
    ? (JSON.parse(user.body.replaceAll('\u0001', '')) as { avatar_url: string | null })
    : null;
  documents.put(directoryUsers, {
    ...user,
    body: writeReadyJson({
      id: user.id,
      username: user.username,
      name: user.name,
      state: user.state === 'active' ? 'active' : 'blocked',
      avatar_url: avatarUrl === undefined ? (kept?.avatar_url ?? null) : avatarUrl,
      web_url: new TextRef(['', ref.host, `/${user.username}`]),
    }),
  });
}
