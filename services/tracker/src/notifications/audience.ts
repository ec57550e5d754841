import type {
  CustomEvent,
  NotificationLevel,
} from '@forgelog/contracts/tracker/notification-settings/notification-levels.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { inBatches } from '@forgelog/eventing/batches.ts';
import { and, oneOf } from '@forgelog/eventing/query.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { isThere as isIssue, issues } from '../issues/issues.collection.ts';
import { knownLabels } from '../labels/known-labels.ts';
import { isThere as isMergeRequest, mergeRequests } from '../merge-requests/merge-requests.collection.ts';
import type { Participation } from '../subscriptions/subscribed.ts';
import type { TargetRef } from '../targets/target-ref.ts';
import type { News, Reason } from './news.ts';
import { defaultChoice, type NotificationChoice, notificationPlace } from './notification-setting.decider.ts';
import { notificationSettings } from './notification-settings.projection.ts';

/** What makes somebody hear of it, the strongest last. */
const STRENGTHS = ['watch', 'part', 'mention', 'subscription'] as const;
type Strength = (typeof STRENGTHS)[number];

export interface Hearer {
  userId: number;
  reason: Reason;
}

interface Candidate {
  strength: Strength;
  reason: Reason;
}

/** A text mentions so many people; the others are told nothing. */
const MOST_MENTIONED = 100;
/** A group that is mentioned has so many members who are told. */
const MOST_OF_GROUP = 200;
const BATCH = 500;
const INSTANCE = notificationPlace({ projectId: null, groupId: null });

export type TargetRow = Participation & { title: string; description: string | null };

/** The issue or merge request as it is now; undefined where it is gone. */
export async function rowOf(
  { readStore }: Pick<ServicePorts, 'readStore'>,
  { type, projectId, iid }: TargetRef,
): Promise<TargetRow | undefined> {
  const place = placeOf(projectId, iid);
  if (place === undefined) return undefined;
  if (type === 'Issue') {
    const row = await readStore.get(issues, place);
    return isIssue(row) ? row : undefined;
  }
  const row = await readStore.get(mergeRequests, place);
  return isMergeRequest(row) ? row : undefined;
}

/** Finds who wants to hear of news, whether they may or not: that is asked when a mail is sent. */
export function audienceFor({ directory, readStore }: Pick<ServicePorts, 'directory' | 'readStore'>) {
  /** The places whose choices hold, the nearest first. */
  async function placesOf({ projectId, groupId }: News): Promise<string[]> {
    const places: string[] = [];
    const project = projectId === null ? undefined : await directory.project(projectId);
    if (project) places.push(notificationPlace({ projectId: project.id, groupId: null }));
    let above = project ? project.namespaceId : groupId;
    while (above !== null) {
      const namespace = await directory.namespace(above);
      if (namespace?.kind === 'group') places.push(notificationPlace({ projectId: null, groupId: above }));
      above = namespace?.parentId ?? null;
    }
    return [...places, INSTANCE];
  }

  async function mentioned(names: readonly string[]): Promise<number[]> {
    const ids: number[] = [];
    for (const name of names.slice(0, MOST_MENTIONED)) {
      const user = await directory.userByName(name);
      const place = user ? undefined : await directory.namespaceByPath(name);
      if (user) ids.push(user.id);
      else if (place?.kind === 'group')
        ids.push(...(await directory.groupMembers(place.id)).slice(0, MOST_OF_GROUP));
    }
    return ids;
  }

  async function labelSubscribers(labelIds: readonly number[]): Promise<number[]> {
    const found = await knownLabels(readStore).read(labelIds);
    return [...found.values()].flatMap((label) => label?.subscriberIds ?? []);
  }

  /** Those who chose to hear of more than they take part in. */
  async function watchers(places: readonly string[], projectId: number): Promise<number[]> {
    const ids: number[] = [];
    const where = and(oneOf('place', places), oneOf('level', ['watch', 'custom']));
    const project = await directory.project(projectId);
    // A choice for the whole instance is about the projects that the user is a member of.
    for await (const batch of inBatches(readStore, notificationSettings, { where, size: BATCH }))
      for (const { userId, place } of batch)
        if (place !== INSTANCE || (project && (await directory.projectLevel(userId, project)) > 0))
          ids.push(userId);
    return ids;
  }

  async function candidatesOf(news: News, places: readonly string[]): Promise<Map<number, Candidate>> {
    const all = new Map<number, Candidate>();
    const add = (userId: number, strength: Strength, reason: Reason) => {
      const before = all.get(userId);
      const isStronger = !before || STRENGTHS.indexOf(strength) > STRENGTHS.indexOf(before.strength);
      all.set(userId, {
        strength: isStronger ? strength : before.strength,
        reason: before?.reason ?? reason,
      });
    };
    for (const userId of await mentioned(news.mentions)) add(userId, 'mention', 'mentioned');
    if (news.says.did === 'mentioned') return all;
    for (const [userId, reason] of news.named) add(userId, 'part', reason);
    const row = news.target && (await rowOf({ readStore }, news.target));
    if (row) {
      add(row.authorId, 'part', 'author');
      for (const id of row.assigneeIds) add(id, 'part', 'assigned');
      for (const id of row.reviewerIds ?? []) add(id, 'part', 'review_requested');
      for (const id of row.participantIds) add(id, 'part', null);
      for (const id of await mentioned(row.mentionedNames)) add(id, 'part', 'mentioned');
      for (const id of row.subscriberIds) add(id, 'subscription', 'subscribed');
    }
    for (const id of await labelSubscribers(news.labelIds)) add(id, 'subscription', 'subscribed');
    if (news.projectId !== null && isForWatchers(news))
      for (const id of await watchers(places, news.projectId)) add(id, 'watch', null);
    // A mention by this text counts for whoever ended their subscription; anything else does not.
    for (const id of row?.unsubscriberIds ?? []) if (all.get(id)?.strength !== 'mention') all.delete(id);
    return all;
  }

  async function choicesOf(
    userIds: readonly number[],
    places: readonly string[],
  ): Promise<Map<number, NotificationChoice>> {
    const byUser = new Map<number, Map<string, NotificationChoice>>();
    for (let from = 0; from < userIds.length; from += BATCH) {
      const ids = userIds.slice(from, from + BATCH);
      const rows = await readStore.find(notificationSettings, {
        where: and(oneOf('userId', ids), oneOf('place', places)),
        limit: ids.length * places.length,
      });
      for (const { userId, place, level, events } of rows) {
        const own = byUser.get(userId) ?? new Map<string, NotificationChoice>();
        byUser.set(userId, own);
        own.set(place, { level: level as NotificationLevel, events: events as CustomEvent[] });
      }
    }
    return new Map(
      userIds.map((userId) => {
        const own = byUser.get(userId);
        const place = places.find((one) => (own?.get(one)?.level ?? 'global') !== 'global');
        return [userId, (place === undefined ? undefined : own?.get(place)) ?? defaultChoice(INSTANCE)];
      }),
    );
  }

  return async (news: News): Promise<Hearer[]> => {
    const places = await placesOf(news);
    const candidates = await candidatesOf(news, places);
    if (news.actorId !== null && !isOwn(news)) candidates.delete(news.actorId);
    const choices = await choicesOf([...candidates.keys()], places);
    return [...candidates].flatMap(([userId, { strength, reason }]) =>
      wants(news, strength, choices.get(userId)!) ? [{ userId, reason }] : [],
    );
  };
}

/** Nobody watches the pipelines and memberships of others. */
const isForWatchers = ({ says }: News): boolean => !isOwnPipeline(says) && says.did !== 'added';

const isOwnPipeline = ({ did }: News['says']): boolean =>
  did === 'failed' || did === 'fixed' || did === 'succeeded';

/** What became of a pipeline is told to whoever started it. */
const isOwn = ({ says }: News): boolean => isOwnPipeline(says);

function wants({ says, custom }: News, strength: Strength, { level, events }: NotificationChoice): boolean {
  if (strength === 'subscription') return true;
  if (level === 'disabled') return false;
  if (says.did === 'added') return true;
  const isChosen = custom !== null && events.includes(custom);
  if (isOwnPipeline(says)) {
    if (level === 'custom') return isChosen;
    return says.did !== 'succeeded' && level !== 'mention';
  }
  if (strength === 'mention') return true;
  if (level === 'mention') return false;
  if (strength === 'part') return true;
  return level === 'watch' || (level === 'custom' && isChosen);
}
