import { SETTING_FALLBACKS } from '@forgelog/contracts/admin/settings/application-settings.ts';
import {
  activateUser,
  banUser,
  blockUser,
  createUser,
  deactivateUser,
  deleteIdentity,
  deleteUser,
  unbanUser,
  unblockUser,
  updateUser,
} from '@forgelog/contracts/admin/users/user.api.ts';
import type { UserProfile } from '@forgelog/contracts/admin/users/user.events.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { createNames } from '@forgelog/directory/names.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { settingNow } from '@forgelog/directory/settings.ts';
import { and, eq, range } from '@forgelog/eventing/query.ts';
import { json, noContent, value } from '@forgelog/service-kit/answer.ts';
import { requireAvatar, storeAvatar } from '@forgelog/service-kit/avatar.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { hash } from '@node-rs/argon2';
import { accessTokens } from '../access-tokens/access-tokens.projection.ts';
import { soleOwnedGroups } from '../groups/sole-owner.rules.ts';
import { type UserCommand, userDecider, userStream } from './user.decider.ts';
import { passwordProblems } from './user.rules.ts';
import { adminSingleUserJson } from './user.view.ts';
import { refuseTaken, userNames } from './user-names.ts';
import type { UserRecord } from './user-record.ts';
import { users } from './users.projection.ts';

const INACTIVE_DAYS = 90;
const DAY_MS = 86_400_000;

export function userAccountRoutes(ports: ServicePorts): Implementation[] {
  const { clock, commands, ids, objects, readStore } = ports;
  const view = adminSingleUserJson.renderer(ports);
  const names = createNames(ports);

  async function answerOf(id: number) {
    const row = await readStore.get(users, id);
    if (!row) throw new Rejection('not_found', { what: 'User' });
    return json(view.one(row.record as UserRecord, { customAttributes: undefined }));
  }

  /** Whether a token of the user was used in the last 90 days: what else they did is not known here. */
  async function wasActive(userId: number): Promise<boolean> {
    const since = new Date(clock().getTime() - INACTIVE_DAYS * DAY_MS).toISOString();
    const where = and(eq('userId', userId), range('lastUsedAt', { gte: since }));
    return (await readStore.find(accessTokens, { where, limit: 1 })).length > 0;
  }

  /** What the instance sets for new users; nothing where that is the default of users. */
  async function usualProfile(): Promise<Partial<UserProfile>> {
    const projects_limit = await settingNow(ports, 'default_projects_limit');
    return projects_limit === SETTING_FALLBACKS.default_projects_limit ? {} : { projects_limit };
  }

  return [
    implement(createUser, async ({ params, metadata }) => {
      requireAvatar(params.avatar);
      const { email, name, username, provider, extern_uid } = params;
      const passwordHash = await newPassword(params);
      const draft = {
        type: 'CreateUser' as const,
        ...{ username, name, email, passwordHash },
        admin: params.admin ?? false,
        external: params.external ?? false,
        bot: false,
        confirmed: params.skip_confirmation,
        identities: provider && extern_uid ? [{ provider, extern_uid, saml_provider_id: null }] : [],
        profile: { ...(await usualProfile()), ...profileOf(params) },
      };
      // Validate before reserving ids and claiming names.
      userDecider.decide({ ...draft, userId: 0, namespaceId: 0 }, userDecider.initialState);
      const take = userNames({ username, email });
      await names.requireFree(take).catch(refuseTaken({ email }));
      const [userId, namespaceId] = [await ids.next('user'), await ids.next('namespace')];
      const avatar_url = await storeAvatar(objects, { kind: 'user', id: userId }, params.avatar);
      const profile = { ...draft.profile, ...(avatar_url && { avatar_url }) };
      const command = { ...draft, profile, userId, namespaceId };
      await names
        .claimed({ kind: 'user', id: userId }, { take }, metadata, (at) =>
          commands.handle(userDecider, userStream(userId), command, metadata, { at }),
        )
        .catch(refuseTaken({ email }));
      return answerOf(userId);
    }),

    implement(updateUser, async ({ params, metadata }) => {
      requireAvatar(params.avatar);
      const { id: userId, name, admin, external, provider, extern_uid } = params;
      const row = await readStore.get(users, userId);
      if (!row) throw new Rejection('not_found', { what: 'User' });
      const username = params.username === row.username ? undefined : params.username;
      const email = params.email === row.email ? undefined : params.email;
      const { password } = params;
      const avatar_url = await storeAvatar(objects, { kind: 'user', id: userId }, params.avatar);
      const command: UserCommand = {
        type: 'UpdateUser',
        userId,
        changes: {
          ...{ username, name, email, admin, external },
          confirmed: email === undefined ? undefined : params.skip_reconfirmation,
          profile: { ...profileOf(params), ...(avatar_url !== undefined && { avatar_url }) },
          passwordHash: password === undefined ? undefined : await hashed(password),
          identity: provider && extern_uid ? { provider, extern_uid, saml_provider_id: null } : undefined,
        },
      };
      const stream = userStream(userId);
      const { state } = await commands.load(userDecider, stream);
      userDecider.decide(command, state);
      const take = userNames({ username, email });
      const leave = userNames({ username: username && row.username, email: email && row.email });
      if (take.length === 0) await commands.handle(userDecider, stream, command, metadata);
      else {
        const holder = { kind: 'user', id: userId } as const;
        await names.requireFree(take, holder).catch(refuseTaken({ email }));
        await names
          .claimed(holder, { take, leave }, metadata, (at) =>
            commands.handle(userDecider, stream, command, metadata, { at }),
          )
          .catch(refuseTaken({ email }));
      }
      return answerOf(userId);
    }),

    implement(deleteUser, async ({ params, metadata }) => {
      const { id: userId, hard_delete: hardDelete } = params;
      if (!hardDelete && (await soleOwnedGroups(userId, ports)).length > 0)
        throw new Rejection('conflict', {
          message: 'User cannot be removed while is the sole-owner of a group',
        });
      const command: UserCommand = { type: 'DeleteUser', userId, hardDelete };
      await commands.handle(userDecider, userStream(userId), command, metadata);
      return noContent();
    }),

    implement(deleteIdentity, async ({ params: { id: userId, provider }, metadata }) => {
      const command: UserCommand = { type: 'DeleteIdentity', userId, provider };
      await commands.handle(userDecider, userStream(userId), command, metadata);
      return noContent();
    }),

    implement(blockUser, async ({ params, caller, metadata }) => {
      if (isSelf(params.id, caller))
        throw new Rejection('forbidden', { reason: 'The API initiating user cannot be blocked by the API' });
      const command: UserCommand = { type: 'BlockUser', userId: params.id };
      const { events } = await commands.handle(userDecider, userStream(params.id), command, metadata);
      return value(events.length > 0 ? true : null);
    }),

    implement(unblockUser, async ({ params, metadata }) => {
      const command: UserCommand = { type: 'UnblockUser', userId: params.id };
      const { events } = await commands.handle(userDecider, userStream(params.id), command, metadata);
      return value(events.length > 0);
    }),

    implement(activateUser, async ({ params, metadata }) => {
      const command: UserCommand = { type: 'ActivateUser', userId: params.id };
      const { events } = await commands.handle(userDecider, userStream(params.id), command, metadata);
      return value(events.length > 0);
    }),

    implement(deactivateUser, async ({ params, caller, metadata }) => {
      const { id: userId } = params;
      const recentlyActive = isSelf(userId, caller) || (await wasActive(userId));
      const command: UserCommand = { type: 'DeactivateUser', userId, recentlyActive };
      const { events } = await commands.handle(userDecider, userStream(userId), command, metadata);
      return value(events.length > 0 ? true : null);
    }),

    implement(banUser, async ({ params, caller, metadata }) => {
      if (isSelf(params.id, caller))
        throw new Rejection('forbidden', { reason: 'The API initiating user cannot be banned by the API' });
      const command: UserCommand = { type: 'BanUser', userId: params.id };
      await commands.handle(userDecider, userStream(params.id), command, metadata);
      return value(true);
    }),

    implement(unbanUser, async ({ params, metadata }) => {
      const command: UserCommand = { type: 'UnbanUser', userId: params.id };
      await commands.handle(userDecider, userStream(params.id), command, metadata);
      return value(true);
    }),
  ];
}

const isSelf = (id: number, { userId, onBehalfBy }: Principal) => id === userId || id === onBehalfBy;

interface PasswordChoice {
  password?: string | undefined;
  reset_password?: boolean | undefined;
  force_random_password?: boolean | undefined;
}

/**
 * Hashes a new user's password. Either flag overrides the password [L439]: a password that no one knows is the same as
 * none.
 */
async function newPassword(choice: PasswordChoice): Promise<string | null> {
  if (choice.reset_password || choice.force_random_password) return null;
  return hashed(choice.password ?? '');
}

async function hashed(password: string): Promise<string> {
  const problems = passwordProblems(password);
  if (problems.length > 0)
    throw new Rejection('validation_failed', {
      fields: { password: problems },
    });
  return hash(password);
}

type Given = Omit<Partial<UserProfile>, 'private_profile'> & { private_profile?: boolean | null | undefined };

/** Picks the parameters that are profile fields. */
function profileOf(given: Given): Partial<UserProfile> {
  const { private_profile } = given;
  const profile: Partial<UserProfile> = {
    bio: given.bio,
    can_create_group: given.can_create_group,
    color_scheme_id: given.color_scheme_id,
    extra_shared_runners_minutes_limit: given.extra_shared_runners_minutes_limit,
    job_title: given.job_title,
    linkedin: given.linkedin,
    location: given.location,
    note: given.note,
    organization: given.organization,
    // Null is stored as false [L439].
    private_profile: private_profile === null ? false : private_profile,
    projects_limit: given.projects_limit,
    public_email: given.public_email,
    shared_runners_minutes_limit: given.shared_runners_minutes_limit,
    skype: given.skype,
    theme_id: given.theme_id,
    twitter: given.twitter,
    view_diffs_file_by_file: given.view_diffs_file_by_file,
    website_url: given.website_url,
  };
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
}
