import { actingUser } from '@forgelog/directory/acting-user.ts';
import { grantProject, visibleGroups } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, eq, isEmpty, not, oneOf, or, range } from '@forgelog/eventing/query.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { type NoteRow, notes } from '../discussions/discussions.collection.ts';
import { mayRead } from '../epics/epic.access.ts';
import { epics } from '../epics/epics.projection.ts';
import { readableIssue } from '../issues/issue.access.ts';
import { isBelow } from '../issues/records-of-groups.query.ts';
import { iterations } from '../iterations/iterations.projection.ts';
import type { LabelRow } from '../labels/labels.projection.ts';
import { labelsSeenOn } from '../labels/labels-seen.query.ts';
import { mergeRequestOf } from '../merge-requests/merge-request.access.ts';
import { milestoneNow } from '../milestones/milestone.query.ts';
import { readsConfidential } from '../targets/target.access.ts';
import type { Discussed } from '../targets/target.ts';
import { namedKey } from './named-targets.ts';
import { sourceKey, sourceOf } from './told-note.ts';

/** Beyond this, notes that name others are not looked at for their readers, and are hidden. */
const MOST_SOURCES = 1000;

type Ports = Pick<ServicePorts, 'readStore' | 'directory'>;

/** What the system noted, as a caller may see it. */
export function systemNotes({ readStore, directory }: Ports) {
  function grants(principal: Principal | null) {
    const known = new Map<number, Promise<ProjectGrant | undefined>>();
    return (projectId: number) => {
      let grant = known.get(projectId);
      if (!grant) {
        grant = directory
          .project(projectId)
          .then((project) => (project ? grantProject(project, principal, directory) : undefined));
        known.set(projectId, grant);
      }
      return grant;
    };
  }

  /** Those of these that the caller may see. */
  async function seen(sources: readonly string[], principal: Principal | null): Promise<string[]> {
    const grantOf = grants(principal);
    const isSeen = async (source: string) => {
      const { type, projectId, iid } = sourceOf(source);
      if (type === 'Epic') return isSeenEpic(projectId, iid, principal);
      const grant = await grantOf(projectId);
      if (!grant) return false;
      if (type === 'Issue')
        return grant.can('issues') && (await readableIssue(readStore, grant, principal, iid)) !== undefined;
      return grant.can('merge_requests') && (await mergeRequestOf(readStore, grant, iid)) !== undefined;
    };
    const found = await Promise.all(sources.map(async (source) => ((await isSeen(source)) ? [source] : [])));
    return found.flat();
  }

  async function isSeenEpic(groupId: number, iid: number, principal: Principal | null): Promise<boolean> {
    const level = (await visibleGroups(directory, [groupId], principal)).get(groupId);
    const row = level === undefined ? undefined : await readStore.get(epics, placeOf(groupId, iid)!);
    return row !== undefined && mayRead(row, level!, principal);
  }

  /** The sources of mentions that count for nothing: by itself, and by people who may not see what they mention. */
  async function strangeMentions(
    target: Discussed,
    mentions: readonly (Pick<NoteRow, 'source'> & { authorId?: number })[],
  ): Promise<ReadonlySet<string>> {
    const strange = new Set<string>();
    if (target.type !== 'Issue' && target.type !== 'MergeRequest') return strange;
    const project = await directory.project(target.projectId);
    for (const { source, authorId } of mentions) {
      const from = sourceOf(source!);
      if (source === sourceKey(target)) strange.add(source);
      if (from.projectId === target.projectId || authorId === undefined || !project) continue;
      const author = await actingUser(directory, authorId);
      const grant = author && (await grantProject(project, author, directory));
      const isReader =
        grant && (!target.confidential || readsConfidential(target, grant.level, author ?? null));
      if (!isReader) strange.add(source!);
    }
    return strange;
  }

  /** How notes name it: by its id, and by its number where they mention it. */
  async function keysOf(target: Discussed): Promise<[own: string, byId?: string, byPath?: string]> {
    if (target.type !== 'Issue' && target.type !== 'MergeRequest') return [target.key];
    const { type, projectId, iid } = target;
    const path = (await directory.project(projectId))?.fullPath;
    const byId = namedKey(type, String(projectId), iid);
    return path === undefined ? [target.key, byId] : [target.key, byId, namedKey(type, path, iid)];
  }

  async function texts(
    target: Discussed,
    rows: readonly NoteRow[],
    principal: Principal | null,
  ): Promise<(row: NoteRow) => string> {
    const idsOf = (...kinds: string[]) => [
      ...new Set(
        rows.flatMap(({ told, addedIds, removedIds }) =>
          kinds.includes(told ?? '') ? [...addedIds, ...removedIds] : [],
        ),
      ),
    ];
    const labels = await labelsSeenOn({ readStore, directory }, idsOf('labels'), target, principal);
    const names = new Map<number, string>();
    for (const id of idsOf('assignees', 'reviewers'))
      names.set(id, (await directory.user(id))?.username ?? 'ghost');
    const titles = await milestoneTitles(idsOf('milestone'));
    const spans = await iterationNames(idsOf('iteration'), target);
    const paths = await sourcePaths(target, rows);

    return (row) => {
      const { told, text, addedIds, removedIds, source } = row;
      const users = (ids: readonly number[]) => listed(ids.map((id) => `@${names.get(id)}`));
      switch (told) {
        case 'labels':
          return labelText(addedIds, removedIds, labels);
        case 'assignees':
          return exchangeText(users(addedIds), users(removedIds), ['assigned to', 'unassigned']);
        case 'reviewers':
          return exchangeText(users(addedIds), users(removedIds), [
            'requested review from',
            'removed review request for',
          ]);
        case 'milestone':
          return milestoneText(addedIds[0], titles);
        case 'iteration':
          return iterationText(addedIds[0], spans);
        case 'source':
          return `${text} ${paths.get(source!)}`;
        default:
          return text;
      }
    };
  }

  async function milestoneTitles(ids: readonly number[]): Promise<Map<number, string>> {
    const titles = new Map<number, string>();
    for (const id of ids) {
      const row = await milestoneNow(readStore, id);
      if (row) titles.set(id, row.title);
    }
    return titles;
  }

  /** Those that the target can be in. */
  async function iterationNames(
    ids: readonly number[],
    target: Discussed,
  ): Promise<Map<number, number | string>> {
    const names = new Map<number, number | string>();
    for (const id of ids) {
      const row = await readStore.get(iterations, id);
      if (row && 'projectId' in target && (await isBelow(directory, target.projectId, row.groupId)))
        names.set(id, row.title ?? id);
    }
    return names;
  }

  /** How what notes name is written on this target: shorter where it is near. */
  async function sourcePaths(target: Discussed, rows: readonly NoteRow[]): Promise<Map<string, string>> {
    const paths = new Map<string, string>();
    for (const { source } of rows) {
      if (source === null || paths.has(source)) continue;
      const { type, projectId, iid } = sourceOf(source);
      if (type === 'Epic') {
        paths.set(source, `${(await directory.namespace(projectId))?.fullPath ?? ''}&${iid}`);
        continue;
      }
      const isHere = 'projectId' in target && target.projectId === projectId;
      const path = isHere ? '' : ((await directory.project(projectId))?.fullPath ?? '');
      paths.set(source, `${path}${type === 'Issue' ? '#' : '!'}${iid}`);
    }
    return paths;
  }

  return {
    /** What is on a target, and names nothing that is hidden from the caller: notes or discussions. */
    async on(target: Discussed, principal: Principal | null): Promise<Condition> {
      const [ownKey, byId, byPath] = await keysOf(target);
      const own = eq('noteable', ownKey);
      const keys = [ownKey, byId, byPath].filter((key) => key !== undefined);
      const named = await readStore.find(notes, {
        where: and(oneOf('noteable', keys), range('source', { gt: '' })),
        select: ['source', 'noteable', 'authorId'],
        limit: MOST_SOURCES,
      });
      if (named.length === 0) return own;
      const mentions = named.filter(({ noteable }) => noteable !== ownKey);
      const sources = [...new Set(named.map(({ source }) => source!))];
      const strange = await strangeMentions(target, mentions);
      const readable = await seen(
        sources.filter((source) => !strange.has(source)),
        principal,
      );
      // Nearly nothing is mentioned elsewhere: then one index gives the order.
      const there = mentions.length > 0 ? [oneOf('noteable', keys)] : [own];
      const isWhole = readable.length === sources.length && named.length < MOST_SOURCES;
      if (!isWhole) there.push(or(isEmpty('source'), oneOf('source', readable)));
      // What one text names in two ways is told once.
      const byBoth = mentions.filter(
        ({ source, noteable }) =>
          noteable === byPath && mentions.some((other) => other.source === source && other.noteable === byId),
      );
      if (byBoth.length > 0) {
        const twice = oneOf(
          'source',
          byBoth.map(({ source }) => source!),
        );
        there.push(not(and(eq('noteable', byPath!), twice)));
      }
      return and(...there);
    },

    /** What is on a target or mentions it, whoever may see it. */
    async near(target: Discussed): Promise<Condition> {
      const keys = await keysOf(target);
      return oneOf(
        'noteable',
        keys.filter((key) => key !== undefined),
      );
    },

    async isVisible(
      target: Discussed,
      note: Pick<NoteRow, 'source' | 'noteable'> & { authorId?: number },
      principal: Principal | null,
    ): Promise<boolean> {
      if (note.source === null) return true;
      const isMention = note.noteable !== target.key;
      if (isMention && (await strangeMentions(target, [note])).has(note.source)) return false;
      return (await seen([note.source], principal)).length > 0;
    },

    /** Those of the system with the text that they have now. */
    async told<Row extends NoteRow>(
      target: Discussed,
      rows: readonly Row[],
      principal: Principal | null,
    ): Promise<readonly Row[]> {
      const said = rows.filter(({ told }) => told !== null && told !== 'text');
      if (said.length === 0) return rows;
      const textOf = await texts(target, said, principal);
      const { type: noteableType } = target;
      return rows.map((row) =>
        // A mention knows what it is on by how that was named.
        row.noteable === target.key || !('iid' in target)
          ? { ...row, text: textOf(row) }
          : { ...row, text: textOf(row), noteableType, noteableId: target.id, noteableIid: target.iid },
      );
    },
  };
}

/** `a`, `a and b`, `a, b and c` */
const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

function exchangeText(added: string, removed: string, [add, remove]: readonly [string, string]): string {
  return [added && `${add} ${added}`, removed && `${remove} ${removed}`].filter(Boolean).join(' and ');
}

type Labels = ReadonlyMap<number, LabelRow | null>;

/** `added ~1 ~2 labels and removed 1 deleted label` */
function labelText(addedIds: readonly number[], removedIds: readonly number[], labels: Labels): string {
  const some = (ids: readonly number[]) => {
    const there = [...new Set(ids.flatMap((id) => labels.get(id)?.id ?? []))];
    const gone = ids.filter((id) => !labels.get(id)).length;
    const words = there.map((id) => `~${id}`).join(' ');
    const lost = gone === 0 ? '' : `${gone} deleted`;
    return [words, lost].filter(Boolean).join(' + ');
  };
  const text = exchangeText(some(addedIds), some(removedIds), ['added', 'removed']);
  return `${text} ${addedIds.length + removedIds.length === 1 ? 'label' : 'labels'}`;
}

/** A title with anything but these is quoted, as texts write it. */
const PLAIN = /^[\p{L}\p{N}_.-]+$/u;

function milestoneText(id: number | undefined, titles: ReadonlyMap<number, string>): string {
  if (id === undefined) return 'removed milestone';
  const title = titles.get(id);
  if (title === undefined) return 'changed milestone to a deleted milestone';
  return `changed milestone to %${PLAIN.test(title) ? title : `"${title}"`}`;
}

/** One without a title is named by its id. */
function iterationText(id: number | undefined, names: ReadonlyMap<number, number | string>): string {
  if (id === undefined) return 'removed iteration';
  const name = names.get(id);
  if (name === undefined) return 'changed iteration to a deleted iteration';
  return `changed iteration to *iteration:${typeof name === 'number' ? name : `"${name}"`}`;
}
