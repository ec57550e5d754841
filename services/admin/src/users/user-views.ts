import { ref, TextRef, writeReadyJson } from '@forgelog/service-kit/ready-json.ts';
import { DEFAULT_LIMITS } from './user-fields.ts';
import type { UserRecord } from './user-record.ts';

/** The views of a user [L35-L39]. Sign-ins are not recorded: their fields are null, and their count is 0. */
export function viewsOf(user: UserRecord) {
  const { id, username, name, state, email, external, bot, profile, createdAt, confirmedAt } = user;
  const canCreateGroup = profile.can_create_group ?? DEFAULT_LIMITS.can_create_group;
  const projectsLimit = profile.projects_limit ?? DEFAULT_LIMITS.projects_limit;
  const isPrivate = profile.private_profile ?? false;
  const bio = profile.bio ?? '';
  const basic = {
    id,
    username,
    name,
    state,
    avatar_url: profile.avatar_url ?? null,
    web_url: new TextRef(['', ref.host, `/${username}`]),
  };
  const described = {
    bio,
    bio_html: escapeHtml(bio),
    location: profile.location ?? null,
    skype: profile.skype ?? '',
    linkedin: profile.linkedin ?? '',
    twitter: profile.twitter ?? '',
    website_url: profile.website_url ?? '',
    organization: profile.organization ?? null,
    job_title: profile.job_title ?? '',
  };
  const single = { bot, public_email: profile.public_email ?? '', followers: 0, following: 0 };
  const account = {
    email,
    last_sign_in_at: null,
    confirmed_at: confirmedAt,
    theme_id: profile.theme_id ?? 1,
    last_activity_on: null,
    color_scheme_id: profile.color_scheme_id ?? 1,
    projects_limit: projectsLimit,
    current_sign_in_at: null,
    identities: user.identities,
    can_create_group: canCreateGroup,
    can_create_project: projectsLimit > 0,
    two_factor_enabled: false,
    external,
    private_profile: isPrivate,
  };
  const commit_email = profile.commit_email ?? email;
  return {
    canCreateGroup,
    publicBody: writeReadyJson({
      ...basic,
      // A private profile hides the creation time.
      created_at: isPrivate ? null : createdAt,
      ...described,
      ...single,
    }),
    ownBody: writeReadyJson({
      ...basic,
      created_at: createdAt,
      ...described,
      ...single,
      ...account,
      commit_email,
    }),
    adminBody: writeReadyJson({
      ...basic,
      created_at: createdAt,
      ...described,
      ...account,
      is_admin: user.admin,
      note: profile.note ?? null,
      current_sign_in_ip: null,
      last_sign_in_ip: null,
    }),
    adminSingle: { ...single, commit_email, sign_in_count: 0 },
    adminPremium: {
      shared_runners_minutes_limit: profile.shared_runners_minutes_limit ?? null,
      extra_shared_runners_minutes_limit: profile.extra_shared_runners_minutes_limit ?? null,
      is_auditor: false,
      using_license_seat: state === 'active' && !bot,
      provisioned_by_group_id: null,
    },
  };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
