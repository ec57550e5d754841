import {
  APPEARANCE_FALLBACKS,
  type Appearance,
} from '@forgelog/contracts/admin/appearance/appearance-fields.ts';
import { definitionOf, type FeatureName } from '@forgelog/contracts/admin/features/feature-definitions.ts';
import type { SettingValues } from '@forgelog/contracts/admin/settings/application-settings.ts';
import { AccessLevel, type ProjectFeature } from '@forgelog/contracts/endpoint.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import { and, type Condition, eq, has, hasAny, not, oneOf, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { ReadThrough } from '@forgelog/eventing/read-through.ts';
import type { RunnersPlace } from '@forgelog/service-kit/instance-key.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { PlaceholderKind } from '@forgelog/service-kit/service.ts';
import { directoryAppearance, directoryAppearanceProjection } from './appearance.projection.ts';
import { createCalendar } from './calendar.ts';
import {
  type DirectoryEmail,
  type DirectoryForkRequest,
  type DirectoryNamespace,
  type DirectoryProject,
  type DirectoryUser,
  directoryEmails,
  directoryForkRequests,
  directoryFormerPaths,
  directoryGroupLinks,
  directoryMembers,
  directoryNamespaces,
  directoryProjectLinks,
  directoryProjects,
  directoryRunnersTokens,
  directoryUsers,
} from './collections.ts';
import { directoryEmailsProjection } from './emails.projection.ts';
import { type FeatureActor, isOpen } from './feature-gates.ts';
import { directoryFeatures, directoryFeaturesProjection, type FeatureGates } from './features.projection.ts';
import { directoryForkRequestsProjection } from './fork-requests.projection.ts';
import { directoryGroupLinksProjection, directoryProjectLinksProjection } from './links.projection.ts';
import { createMarkedPlaces, type MarkedPlaces } from './marked-places.ts';
import { directoryMembersProjection } from './members.projection.ts';
import { directoryNamespacesProjection } from './namespaces.projection.ts';
import { directoryPlaceholders } from './placeholders.ts';
import { directoryRunnersTokensProjection, runnersPlaceKey } from './runners-tokens.projection.ts';
import { directorySettings, directorySettingsProjection } from './settings.projection.ts';
import { createShares, type Share } from './shares.ts';
import { directoryUsersProjection } from './users.projection.ts';

/** More than a user may have. */
const MOST_EMAILS = 1000;

/** A user's direct memberships; inheritance is applied on lookup. */
export interface Memberships {
  /** Project id → access level. */
  projects: ReadonlyMap<number, number>;
  /** Group id → access level. */
  groups: ReadonlyMap<number, number>;
  /** The day (`YYYY-MM-DD`) on which a membership expires and this becomes stale; null for never. */
  until: string | null;
}

/**
 * Users, places and rights: the read model that every service needs, because every answer contains users and paths and
 * depends on rights. Each process builds its own from the log.
 */
export interface Directory {
  projections: readonly Projection[];
  placeholders: readonly PlaceholderKind[];
  /** Where clients find the instance, without a slash at its end. */
  readonly externalUrl: string;
  /** Counts changes of users, places and rights. Derived data holds for one count and one day. */
  readonly changes: number;
  /** `YYYY-MM-DD`. */
  today(): string;
  user(id: number): Promise<DirectoryUser | undefined>;
  userByName(username: string): Promise<DirectoryUser | undefined>;
  /** The address of their account, or another one that they confirmed, in any case of letters. */
  userByEmail(email: string): Promise<DirectoryUser | undefined>;
  /** The address of their account, and the others that they confirmed. */
  emailsOf(userId: number): Promise<readonly string[]>;
  /** An address of a user beside that of their account. */
  furtherEmail(id: number): Promise<DirectoryEmail | undefined>;
  namespace(id: number): Promise<DirectoryNamespace | undefined>;
  namespaceByPath(fullPath: string): Promise<DirectoryNamespace | undefined>;
  project(id: number): Promise<DirectoryProject | undefined>;
  projectByPath(fullPath: string): Promise<DirectoryProject | undefined>;
  projectByFormerPath(fullPath: string): Promise<DirectoryProject | undefined>;
  /** Groups that the project is shared with today. */
  projectShares(projectId: number): Promise<readonly Share[]>;
  /** Groups that the group itself is shared with today, without the shares of the groups above. */
  groupShares(groupId: number): Promise<readonly Share[]>;
  /** Projects that are shared with the group today. */
  projectsSharedWith(groupId: number): Promise<readonly number[]>;
  memberships(userId: number): Promise<Memberships>;
  /** Group id → access level, by membership or by a share with a group of theirs; groups below inherit it. */
  groupsOf(userId: number): Promise<ReadonlyMap<number, number>>;
  /** Includes inherited and shared access. */
  groupLevel(userId: number, groupId: number): Promise<number>;
  /** The highest of direct, inherited, shared and owner access (50). */
  projectLevel(userId: number, project: DirectoryProject): Promise<number>;
  /** Projects visible to the caller with at least `minimum` access, as a condition on project ids; null for all. */
  projectsWith(principal: Principal | null, minimum: number, field: string): Promise<Condition | null>;
  /** The same of groups, as the authorizer grants them one by one. */
  groupsWith(principal: Principal | null, minimum: number, field: string): Promise<Condition | null>;
  /**
   * Visible projects with `feature` closed to the caller, as a condition on project ids; if asked, those too that are
   * archived or marked for deletion.
   */
  projectsWithout(
    feature: ProjectFeature,
    principal: Principal | null,
    options: { archived: boolean; field: string },
  ): Promise<Condition>;
  /** Open merge requests whose source is the project, a fork, and whose mergers may push to their source branch. */
  collaborations(projectId: number): Promise<readonly DirectoryForkRequest[]>;
  /** What is marked for deletion; synchronous from memory. */
  marked(): MarkedPlaces | Promise<MarkedPlaces>;
  groupsBelow(groupId: number): Promise<readonly number[]>;
  /** Ids of the direct members of a group today. */
  groupMembers(groupId: number): Promise<readonly number[]>;
  /** Includes subgroups. */
  projectsBelow(groupId: number): Promise<readonly number[]>;
  /** Settings of the instance that were ever set: see `settingNow`. The same object until one changes. */
  settings(): Partial<SettingValues> | Promise<Partial<SettingValues>>;
  /** How the instance presents itself. */
  appearance(): Appearance | Promise<Appearance>;
  /** Whether a part of the server is on, for an actor where one is named. */
  featureEnabled(name: FeatureName, actor?: FeatureActor): Promise<boolean>;
  /** How often the token that registers runners there was made anew. */
  runnersTokenResets(place: RunnersPlace): Promise<number>;
}

export interface DirectoryPorts {
  readStore: ReadStore;
  clock: () => Date;
  externalUrl: string;
}

const USERS = 50_000;
const PLACES = 50_000;
const MOST_COLLABORATIONS = 1000;
const FEATURES_KEPT = 1000;

export function createDirectory({ readStore, clock, externalUrl }: DirectoryPorts): Directory {
  const users = new ReadThrough<number, DirectoryUser>(USERS);
  const namespaces = new ReadThrough<number, DirectoryNamespace>(PLACES);
  const projects = new ReadThrough<number, DirectoryProject>(PLACES);
  const paths = new ReadThrough<string, number>(PLACES);
  const rights = new ReadThrough<number, Memberships>(USERS);
  const visible = new ReadThrough<string, number[]>(1000);
  const reached = new ReadThrough<string, ReadonlyMap<number, number>>(USERS);
  const collaborations = new ReadThrough<number, readonly DirectoryForkRequest[]>(PLACES);
  const resets = new ReadThrough<string, number>(PLACES);
  const appearance = new ReadThrough<1, Appearance>(1);
  const settings = new ReadThrough<1, Partial<SettingValues>>(1);
  const features = new ReadThrough<string, FeatureGates | 'unset'>(FEATURES_KEPT);

  let changes = 0;
  const today = createCalendar(clock);
  const projectShares = createShares(
    readStore,
    directoryProjectLinks,
    ({ projectId: placeId, groupId, accessLevel, expiresAt }) => ({
      placeId,
      groupId,
      accessLevel,
      expiresAt,
    }),
    today,
  );
  const groupShares = createShares(
    readStore,
    directoryGroupLinks,
    ({ groupId: placeId, sharedWithGroupId: groupId, accessLevel, expiresAt }) => ({
      ...{ placeId, groupId, accessLevel, expiresAt },
    }),
    today,
  );
  const marks = createMarkedPlaces(readStore);

  const user = (id: number) => users.read(id, () => readStore.get(directoryUsers, id));
  const namespace = (id: number) => namespaces.read(id, () => readStore.get(directoryNamespaces, id));
  const project = (id: number) => projects.read(id, () => readStore.get(directoryProjects, id));

  function idOfPath(
    collection: typeof directoryNamespaces | typeof directoryProjects,
    fullPath: string,
  ): Promise<number | undefined> {
    const lower = fullPath.toLowerCase();
    return paths.read(`${collection.name} ${lower}`, async () => {
      const where = eq('fullPathLower', lower);
      return (await readStore.find(collection, { where, limit: 1, select: ['id'] }))[0]?.id;
    });
  }

  async function memberships(userId: number): Promise<Memberships> {
    const known = rights.get(userId);
    if (known?.until && today() >= known.until) rights.forget(userId);
    return (await rights.read(userId, () => readMemberships(userId)))!;
  }

  async function readMemberships(userId: number): Promise<Memberships> {
    const rows = await readStore.find(directoryMembers, { where: eq('userId', userId), limit: 1_000_000 });
    const groups = new Map<number, number>();
    const direct = new Map<number, number>();
    let until: string | null = null;
    for (const { source, sourceId, accessLevel, expiresAt } of rows) {
      if (expiresAt !== null) {
        if (expiresAt <= today()) continue;
        if (until === null || expiresAt < until) until = expiresAt;
      }
      (source === 'group' ? groups : direct).set(sourceId, accessLevel);
    }
    return { groups, projects: direct, until };
  }

  /** Access inherited from groups; minimal access is not inherited [L118]. */
  function inherited(groups: ReadonlyMap<number, number>, ids: readonly number[]): number {
    let level = 0;
    for (const id of ids) level = Math.max(level, groups.get(id) ?? 0);
    return level < AccessLevel.guest ? 0 : level;
  }

  async function projectLevel(userId: number, { id, ownerId, ancestors }: DirectoryProject): Promise<number> {
    if (ownerId === userId) return 50;
    const groups = await groupsOf(userId);
    const { projects: direct } = await memberships(userId);
    const own = Math.max(direct.get(id) ?? 0, inherited(groups, ancestors ?? []));
    if (groups.size === 0) return own;
    const links = await projectShares.of(id);
    return Math.max(own, ...(await Promise.all(links.map((link) => levelThrough(link, userId)))));
  }

  async function levelIn(groups: ReadonlyMap<number, number>, groupId: number): Promise<number> {
    const group = await namespace(groupId);
    if (!group) return 0;
    return Math.max(groups.get(groupId) ?? 0, inherited(groups, group.ancestors ?? []));
  }

  const groupLevel = async (userId: number, groupId: number) => levelIn(await groupsOf(userId), groupId);

  const sharedLevel = (level: number, { accessLevel }: Share) =>
    level < AccessLevel.guest ? 0 : Math.min(level, accessLevel);

  /** What a user may do in a project as a member of a group that it is shared with. */
  const levelThrough = async (share: Share, userId: number) =>
    sharedLevel(await groupLevel(userId, share.groupId), share);

  async function groupsOf(userId: number): Promise<ReadonlyMap<number, number>> {
    const { groups } = await memberships(userId);
    if (groups.size === 0) return groups;
    return (await reached.read(`${userId} ${today()}`, () => withShares(groups)))!;
  }

  /** Adds the groups that are shared with these; those that are shared with an added one are not. */
  async function withShares(groups: ReadonlyMap<number, number>): Promise<ReadonlyMap<number, number>> {
    const all = new Map(groups);
    for (const groupId of await groupShares.groups()) {
      const level = await levelIn(groups, groupId);
      for (const share of await groupShares.withGroup(groupId)) {
        const shared = sharedLevel(level, share);
        if (shared > (all.get(share.placeId) ?? 0)) all.set(share.placeId, shared);
      }
    }
    return all;
  }

  async function sharedProjects(userId: number, minimum: number): Promise<number[]> {
    const found: number[] = [];
    for (const groupId of await projectShares.groups()) {
      const level = await groupLevel(userId, groupId);
      if (level < Math.max(minimum, AccessLevel.guest)) continue;
      for (const { placeId, accessLevel } of await projectShares.withGroup(groupId))
        if (accessLevel >= minimum) found.push(placeId);
    }
    return found;
  }

  /** Ids of projects with at least `minimum` access through membership, ownership or a share. */
  async function memberProjects(userId: number, minimum: number): Promise<number[]> {
    const found = await visible.read(`${userId} ${minimum} ${today()}`, async () => {
      const groups = await groupsOf(userId);
      const { projects: direct } = await memberships(userId);
      const ids = new Set([...direct].filter(([, level]) => level >= minimum).map(([id]) => id));
      const least = Math.max(minimum, AccessLevel.guest);
      const above = [...groups].filter(([, level]) => level >= least).map(([id]) => id);
      for (const id of await idsWhere(or(eq('ownerId', userId), hasAny('ancestors', above)))) ids.add(id);
      if (groups.size > 0) for (const id of await sharedProjects(userId, minimum)) ids.add(id);
      const { projects: marked } = await marks.all();
      if (marked.size > 0 && minimum < AccessLevel.owner) {
        const owned = new Set(await memberProjects(userId, AccessLevel.owner));
        for (const id of marked) if (!owned.has(id)) ids.delete(id);
      }
      return [...ids].sort((a, b) => a - b);
    });
    return found!;
  }

  async function idsWhere(where: Condition): Promise<number[]> {
    const rows = await readStore.find(directoryProjects, { where, limit: 1_000_000, select: ['id'] });
    return rows.map(({ id }) => id);
  }

  /** Project ids by condition, cached under `name` until projects change. */
  async function projectIds(name: string, where: Condition): Promise<number[]> {
    return (await visible.read(name, () => idsWhere(where)))!;
  }

  /** Those that are marked for deletion are open to nobody. */
  async function openProjects(visibilities: readonly string[]): Promise<number[]> {
    const found = await visible.read(visibilities.join(), async () => {
      const { projects: marked } = await marks.all();
      return (await idsWhere(oneOf('visibility', visibilities))).filter((id) => !marked.has(id));
    });
    return found!;
  }

  async function groupIds(name: string, where: Condition): Promise<number[]> {
    const found = await visible.read(name, async () => {
      const groups = and(eq('kind', 'group'), where);
      const rows = await readStore.find(directoryNamespaces, {
        where: groups,
        limit: 1_000_000,
        select: ['id'],
      });
      return rows.map(({ id }) => id);
    });
    return found!;
  }

  const groupsBelow = async (groupId: number): Promise<readonly number[]> =>
    (await groupIds(`groups below ${groupId}`, has('ancestors', groupId))).filter((id) => id !== groupId);

  /** Groups with at least this access, by membership or a share, and those below them. */
  async function memberGroups(userId: number, minimum: number): Promise<Set<number>> {
    const ids = new Set<number>();
    for (const [id, level] of await groupsOf(userId))
      if (level >= minimum) for (const one of [id, ...(await groupsBelow(id))]) ids.add(one);
    return ids;
  }

  /** Groups above those and the projects of which the user is a member, who may see them. */
  async function groupsAbove(userId: number, mine: Iterable<number>): Promise<Set<number>> {
    const ids = new Set<number>();
    for (const id of mine) for (const above of (await namespace(id))?.ancestors ?? []) ids.add(above);
    for (const id of (await memberships(userId)).projects.keys()) {
      const found = await project(id);
      // A personal namespace is no group.
      if (found?.ownerId === null) for (const above of found.ancestors ?? []) ids.add(above);
    }
    return ids;
  }

  /** Without those that are marked for deletion, which their owners alone see. */
  async function unmarked(ids: readonly number[], owned: ReadonlySet<number>): Promise<number[]> {
    const { groups: marked } = await marks.all();
    return ids.filter((id) => !marked.has(id) || owned.has(id));
  }

  const restrictedProjects = (restriction: string) => projectIds(restriction, has('restricted', restriction));

  return {
    projections: [
      {
        ...directoryUsersProjection,
        applied(events) {
          changes += 1;
          for (const { data } of events) users.forget((data as { userId: number }).userId);
        },
      },
      directoryEmailsProjection,
      {
        ...directoryNamespacesProjection,
        applied() {
          changes += 1;
          // Paths and levels below depend on the changed one. Such changes are rare enough to clear everything.
          for (const cache of [namespaces, projects, paths, visible, reached]) cache.forgetAll();
          marks.forget();
        },
      },
      {
        ...directoryMembersProjection,
        applied() {
          changes += 1;
          for (const cache of [rights, visible, reached]) cache.forgetAll();
        },
      },
      {
        ...directoryProjectLinksProjection,
        applied() {
          changes += 1;
          projectShares.forget();
          visible.forgetAll();
        },
      },
      {
        ...directoryGroupLinksProjection,
        applied() {
          changes += 1;
          groupShares.forget();
          for (const cache of [visible, reached]) cache.forgetAll();
        },
      },
      {
        ...directoryForkRequestsProjection,
        applied: () => collaborations.forgetAll(),
      },
      {
        ...directoryRunnersTokensProjection,
        applied: () => resets.forgetAll(),
      },
      {
        ...directorySettingsProjection,
        applied: () => settings.forgetAll(),
      },
      {
        ...directoryAppearanceProjection,
        applied: () => appearance.forgetAll(),
      },
      {
        ...directoryFeaturesProjection,
        applied: () => features.forgetAll(),
      },
    ],
    get changes() {
      return changes;
    },
    today,
    externalUrl,
    placeholders: directoryPlaceholders({
      user,
      namespace,
      project,
      users,
      namespaces,
      projects,
      externalUrl,
    }),
    user,
    async userByName(username) {
      const where = eq('usernameLower', username.toLowerCase());
      return (await readStore.find(directoryUsers, { where, limit: 1 }))[0];
    },
    async userByEmail(email) {
      const where = eq('emailLower', email.toLowerCase());
      const [found] = await readStore.find(directoryUsers, { where, limit: 1 });
      if (found) return found;
      const confirmed = and(where, eq('confirmed', true));
      const [further] = await readStore.find(directoryEmails, { where: confirmed, limit: 1 });
      return further && user(further.userId);
    },
    furtherEmail: (id) => readStore.get(directoryEmails, id),
    async emailsOf(userId) {
      const where = and(eq('userId', userId), eq('confirmed', true));
      const found = await readStore.find(directoryEmails, { where, limit: MOST_EMAILS });
      const account = (await user(userId))?.email ?? null;
      return [...(account === null ? [] : [account]), ...found.map(({ emailLower }) => emailLower)];
    },
    namespace,
    async namespaceByPath(fullPath) {
      const id = await idOfPath(directoryNamespaces, fullPath);
      return id === undefined ? undefined : namespace(id);
    },
    project,
    async projectByPath(fullPath) {
      const id = await idOfPath(directoryProjects, fullPath);
      return id === undefined ? undefined : project(id);
    },
    async projectByFormerPath(fullPath) {
      const former = await readStore.get(directoryFormerPaths, fullPath.toLowerCase());
      return former && project(former.projectId);
    },
    appearance() {
      const load = async () => ({
        ...APPEARANCE_FALLBACKS,
        ...((await readStore.get(directoryAppearance, 1))?.set as Partial<Appearance> | undefined),
      });
      return appearance.get(1) ?? appearance.read(1, load).then((set) => set!);
    },
    settings() {
      const load = async () => (await readStore.get(directorySettings, 1))?.set ?? {};
      return settings.get(1) ?? settings.read(1, load).then((set) => set!);
    },
    async featureEnabled(name, actor) {
      const gates = await features.read(
        name,
        async () => (await readStore.get(directoryFeatures, name)) ?? 'unset',
      );
      if (gates === 'unset') return definitionOf(name)!.defaultEnabled;
      return isOpen(gates!, { ...(actor && { actor }), chance: Math.random() });
    },
    memberships,
    groupLevel,
    groupsOf,
    projectShares: projectShares.of,
    groupShares: groupShares.of,
    projectsSharedWith: async (groupId) =>
      (await projectShares.withGroup(groupId)).map(({ placeId }) => placeId),
    projectLevel,
    async projectsWith(principal, minimum, field) {
      if (principal?.isAdmin) return null;
      const open =
        minimum === 0 ? (principal && !principal.external ? ['public', 'internal'] : ['public']) : [];
      const ids = open.length > 0 ? await openProjects(open) : [];
      const mine = principal ? await memberProjects(principal.userId, Math.max(minimum, 1)) : [];
      return or(oneOf(field, ids), oneOf(field, mine));
    },
    async projectsWithout(feature, principal, { archived, field }) {
      const without = [oneOf(field, await restrictedProjects(`${feature}:disabled`))];
      if (archived) {
        without.push(oneOf(field, await projectIds('archived', eq('archived', true))));
        without.push(oneOf(field, [...(await marks.all()).projects]));
      }
      if (!principal?.isAdmin) {
        const mine = principal ? await memberProjects(principal.userId, 1) : [];
        const kept = await restrictedProjects(`${feature}:private`);
        if (kept.length > 0) without.push(and(oneOf(field, kept), not(oneOf(field, mine))));
      }
      return or(...without);
    },
    marked: marks.all,
    groupsBelow,
    async groupsWith(principal, minimum, field) {
      if (principal?.isAdmin) return null;
      const visibilities = principal && !principal.external ? ['public', 'internal'] : ['public'];
      const open =
        minimum === 0 ? await groupIds(`groups ${visibilities}`, oneOf('visibility', visibilities)) : [];
      if (!principal) return oneOf(field, await unmarked(open, new Set()));
      const { userId } = principal;
      const mine = await memberGroups(userId, Math.max(minimum, 1));
      const above = minimum === 0 ? await groupsAbove(userId, (await groupsOf(userId)).keys()) : [];
      const owned = await memberGroups(userId, AccessLevel.owner);
      return oneOf(field, await unmarked([...new Set([...open, ...mine, ...above])], owned));
    },
    async groupMembers(groupId) {
      const found = await visible.read(`members of ${groupId} ${today()}`, async () => {
        const where = and(eq('source', 'group'), eq('sourceId', groupId));
        const rows = await readStore.find(directoryMembers, { where, limit: 1_000_000 });
        return rows
          .filter(({ expiresAt }) => expiresAt === null || expiresAt > today())
          .map(({ userId }) => userId);
      });
      return found!;
    },
    async collaborations(projectId) {
      const found = await collaborations.read(projectId, () =>
        readStore.find(directoryForkRequests, {
          where: and(eq('sourceProjectId', projectId), eq('open', true), eq('allowsCollaboration', true)),
          limit: MOST_COLLABORATIONS,
        }),
      );
      return found!;
    },
    async runnersTokenResets(place) {
      const key = runnersPlaceKey(place);
      const known = async () => (await readStore.get(directoryRunnersTokens, key))?.resets ?? 0;
      return (await resets.read(key, known))!;
    },
    projectsBelow: (groupId) => projectIds(`below ${groupId}`, has('ancestors', groupId)),
  };
}
