import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { isOpenTo } from '@forgelog/directory/authorizer.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { openCode } from '@forgelog/directory/open-code.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, eq, has, not, oneOf, or } from '@forgelog/eventing/query.ts';
import type { Visibility } from '@forgelog/service-kit/access.ts';
import type { Answer } from '@forgelog/service-kit/answer.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { searched } from '@forgelog/service-kit/searched.ts';
import { discussedCommits } from '../commit-comments/discussed-commits.ts';
import { type NoteRow, notes } from '../discussions/discussions.collection.ts';
import { noteJson } from '../discussions/note.view.ts';
import { type ShownNote, shownPositions } from '../discussions/shown-positions.ts';
import { foundMergeRequest, mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import { isThere, mergeRequests } from '../merge-requests/merge-requests.collection.ts';
import { readableTargets } from '../targets/target.access.ts';
import type { TargetKind } from '../targets/target.ts';
import { noteTexts } from './note-texts.projection.ts';
import type { Search } from './search.ts';

const field = 'projectId';
const VISIBILITIES: readonly Visibility[] = ['private', 'internal', 'public'];

/** Notes as far as the caller may read what they are on, and the notes themselves. */
export function noteSearch(
  ports: ServicePorts,
  kinds: readonly TargetKind[],
): (asked: Search) => Promise<Answer> {
  const { readStore, directory } = ports;
  const view = noteJson.renderer(ports);
  const shown = shownNotes(ports);

  /** Epics are in groups: in those below, where a group is searched. */
  async function inPlace({ place, within }: Search): Promise<Condition> {
    if (within === null) return and();
    const { groupId } = place;
    const groups = groupId === null ? [] : [groupId, ...(await directory.groupsBelow(groupId))];
    return or(oneOf(field, within), oneOf('groupId', groups));
  }

  return async (asked) => {
    const { request, words, byTime } = asked;
    const { caller, page } = request;
    const { found, sort } = searched(words, { telling: ['text'], byTime });
    const open = or(await readable(directory, caller, kinds), await onEpics(ports, caller));
    const where = and(await inPlace(asked), open, found);
    const { documents, next } = await pageOf(readStore, noteTexts, { where, sort, page, select: ['id'] });
    const ids = documents.map(({ id }) => id);
    const rows = await readStore.find(notes, { where: oneOf('id', ids), limit: Math.max(1, ids.length) });
    const byId = new Map((await shown(rows, caller)).map((note) => [note.id, note]));
    const items = view.list(
      ids.map((id) => byId.get(id)).filter((note) => note !== undefined),
      {},
    );
    return { kind: 'list', items, next };
  };
}

async function readable(
  directory: Directory,
  caller: Principal,
  kinds: readonly TargetKind[],
): Promise<Condition> {
  const seen = (await directory.projectsWith(caller, 0, field)) ?? and();
  const asReporter = (await directory.projectsWith(caller, AccessLevel.reporter, field)) ?? and();
  const asMember = (await directory.projectsWith(caller, AccessLevel.guest, field)) ?? and();
  const snippetsClosed = await directory.projectsWithout('snippets', caller, { archived: false, field });
  const openLevels = VISIBILITIES.filter((level) => isOpenTo(level, caller));
  const { userId } = caller;
  const onTargets = await readableTargets(directory, caller, kinds);
  const notInternal = or(eq('internal', false), eq('authorId', userId), has('readerIds', userId), asReporter);
  return or(
    and(onTargets, notInternal),
    and(eq('targetType', 'Commit'), seen, await openCode(directory, caller, field)),
    and(
      eq('targetType', 'Snippet'),
      seen,
      not(snippetsClosed),
      or(asMember, oneOf('visibility', openLevels)),
    ),
  );
}

/** A confidential epic is there for Reporters upwards, and for its author while they see the group. */
async function onEpics({ directory, configuration }: ServicePorts, caller: Principal): Promise<Condition> {
  // Epics exist at the highest tier alone.
  if (configuration.EDITION !== 'ultimate') return or();
  const seen = (await directory.groupsWith(caller, 0, 'groupId')) ?? and();
  const asReporter = (await directory.groupsWith(caller, AccessLevel.reporter, 'groupId')) ?? and();
  const readers = or(has('readerIds', caller.userId), asReporter);
  const notConfidential = or(eq('confidential', false), readers);
  const notInternal = or(eq('internal', false), eq('authorId', caller.userId), readers);
  return and(eq('targetType', 'Epic'), seen, notConfidential, notInternal);
}

/** Notes on lines of diffs are shown where those lines are now, as in the lists of their targets. */
function shownNotes(ports: ServicePorts) {
  const { readStore } = ports;
  const onMergeRequests = shownPositions(ports, mergeRequestTarget);
  const onCommits = shownPositions(ports, discussedCommits);

  async function ofOne(rows: readonly NoteRow[], caller: Principal): Promise<readonly ShownNote[]> {
    const { noteable: key, noteableType, noteableIid, projectId, commitId } = rows[0]!;
    if (projectId === null || !rows.some(({ onDiff }) => onDiff)) return rows;
    if (noteableType === 'Commit') {
      const seen = { level: 0, confidential: false, authorId: 0, assigneeIds: [], discussionLocked: false };
      return onCommits({ ...seen, key, type: 'Commit', projectId, sha: commitId! }, rows, caller);
    }
    const row = await readStore.get(mergeRequests, placeOf(projectId, noteableIid!)!);
    return isThere(row) ? onMergeRequests(foundMergeRequest(row, { level: 0 }), rows, caller) : rows;
  }

  return async (rows: readonly NoteRow[], caller: Principal): Promise<ShownNote[]> => {
    const groups = [...Map.groupBy(rows, ({ noteable }) => noteable).values()];
    return (await Promise.all(groups.map((group) => ofOne(group, caller)))).flat();
  };
}
