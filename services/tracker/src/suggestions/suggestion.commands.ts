import { randomUUID } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { commitLines } from '@forgelog/contracts/repo/diff-lines/suggested-line.operations.ts';
import { grantProject } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, oneOf } from '@forgelog/eventing/query.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { notes } from '../discussions/discussions.collection.ts';
import { readableNotes } from '../discussions/note.access.ts';
import { type ShownNote, shownPositions } from '../discussions/shown-positions.ts';
import { mergeRequestOf } from '../merge-requests/merge-request.access.ts';
import { foundMergeRequest, mergeRequestTarget } from '../merge-requests/merge-request.target.ts';
import type { MergeRequest } from '../merge-requests/merge-requests.collection.ts';
import { mergeSettingsOf } from '../merge-requests/merge-settings.projection.ts';
import { OUTDATED } from './shown-suggestions.ts';
import type { ShownSuggestion } from './suggestion.view.ts';
import { suggestionMessage } from './suggestion-message.ts';
import { suggestions } from './suggestions.collection.ts';

const refused = (message: string) => new Rejection('refused', { message });
const APPLIED = "Can't apply this suggestion.";

interface Found {
  row: MergeRequest;
  grant: ProjectGrant;
  notes: readonly ShownNote[];
  /** In the order of the ids. */
  chosen: readonly ShownSuggestion[];
}

/** Suggestions that the caller reads become a commit on the source branch of their merge request. */
export function suggestionCommands(ports: ServicePorts) {
  const { readStore, directory, operations } = ports;
  const withPositions = shownPositions(ports, mergeRequestTarget);

  /** @throws record_not_found for one that the caller may not see; refused where they are of several merge requests */
  async function find({ caller }: ApiRequest, ids: readonly number[]): Promise<Found> {
    const rows = await readStore.find(suggestions, { where: oneOf('id', ids), limit: ids.length });
    const [first] = rows;
    const isThere =
      rows.length === ids.length && rows.every(({ projectId }) => projectId === first?.projectId);
    if (!first || !isThere) throw new Rejection('record_not_found');
    const where = oneOf('id', [...new Set(rows.map(({ noteId }) => noteId))]);
    const [known] = await readStore.find(notes, { where, limit: 1 });
    const project = await directory.project(first.projectId);
    const grant = project && (await grantProject(project, caller, directory));
    if (!known?.noteableIid || !grant?.can('merge_requests')) throw new Rejection('record_not_found');
    const row = await mergeRequestOf(readStore, grant, known.noteableIid);
    if (!row) throw new Rejection('record_not_found');
    const target = foundMergeRequest(row, grant);
    const readable = await readStore.find(notes, {
      where: and(where, readableNotes(target, caller)),
      limit: rows.length,
    });
    const isReadable = new Set(readable.map(({ id }) => id));
    if (rows.some(({ noteId }) => !isReadable.has(noteId))) throw new Rejection('record_not_found');
    if (rows.some(({ noteable }) => noteable !== target.key))
      throw refused('Suggestions must all be on the same branch.');
    const shown = await withPositions(target, readable, caller);
    const byId = new Map(shown.flatMap((note) => (note.suggestions ?? []).map((one) => [one.id, one])));
    return { row, grant, notes: shown, chosen: ids.flatMap((id) => byId.get(id) ?? []) };
  }

  async function messageOf(
    { caller }: ApiRequest,
    { row, grant: { project }, notes, chosen }: Found,
    given: string | undefined,
  ): Promise<string> {
    const { suggestionMessage: template } = await mergeSettingsOf(readStore, row.projectId);
    const authorIds = new Set(notes.map(({ authorId }) => authorId));
    authorIds.delete(caller.userId);
    const authors = await Promise.all([...authorIds].map((id) => directory.user(id)));
    const host = new URL(directory.externalUrl).hostname;
    return suggestionMessage(given || template, {
      branchName: row.sourceBranch,
      files: [...new Set(chosen.map(({ path }) => path))],
      projectName: project.name,
      projectPath: project.fullPath,
      user: caller,
      suggestions: chosen.length,
      // Their real addresses are their own: others decide on this commit.
      coAuthors: authors.flatMap((author) =>
        author ? [`${author.name} <${author.id}-${author.username}@users.noreply.${host}>`] : [],
      ),
    });
  }

  return {
    /**
     * @param ids each once
     * @returns the suggestions, which are applied
     * @throws record_not_found; forbidden to push to the source branch; refused with a text that clients know
     */
    async apply(
      request: ApiRequest,
      ids: readonly number[],
      message: string | undefined,
    ): Promise<ShownSuggestion[]> {
      const { caller: principal, metadata } = request;
      const found = await find(request, ids);
      const { row, chosen } = found;
      const problem = chosen.find((one) => one.problem !== null)?.problem;
      if (problem) throw refused(problem);
      requireApart(chosen);
      const answer = await operations.call(
        commitLines,
        {
          ...{ projectId: row.sourceProjectId, branch: row.sourceBranch, sha: row.sha },
          message: await messageOf(request, found, message),
          suggestionIds: [...ids],
          edits: chosen.map(({ path, fromLine: from, toLine: to, toContent: content }) => ({
            ...{ path, from, to, content },
          })),
        },
        { principal, metadata, operationId: randomUUID() },
      );
      if (!('refused' in answer)) return chosen.map((one) => ({ ...one, applied: true, problem: APPLIED }));
      switch (answer.refused) {
        case 'no project':
        case 'forbidden':
          throw new Rejection('forbidden', {});
        case 'no branch':
          throw refused("Can't apply as the source branch was deleted.");
        case 'branch moved':
        case 'no line':
          throw refused(chosen.length === 1 ? OUTDATED.line : OUTDATED.lines);
        case 'no change':
          throw refused('This suggestion already matches its content.');
        case 'rule':
          throw refused(answer.message);
        default:
          return answer satisfies never;
      }
    },
  };
}

/** @throws refused where two are about the same line of a file */
function requireApart(chosen: readonly ShownSuggestion[]): void {
  for (const ofFile of Map.groupBy(chosen, ({ path }) => path).values()) {
    const sorted = ofFile.toSorted((a, b) => a.fromLine - b.fromLine);
    if (sorted.some(({ fromLine }, at) => at > 0 && fromLine <= sorted[at - 1]!.toLine))
      throw refused('Suggestions are not applicable as their lines cannot overlap.');
  }
}
