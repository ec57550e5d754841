import { randomUUID } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  groupStorageMoves,
  projectStorageMoves,
  snippetStorageMoves,
} from '@forgelog/contracts/repo/storage-moves/storage-move.api.ts';
import { parseIdOrPath } from '@forgelog/directory/authorizer.ts';
import { and, type Condition, desc, eq, oneOf } from '@forgelog/eventing/query.ts';
import { accepted, json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import type { JsonTemplate } from '@forgelog/service-kit/json-template.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { projects } from '../projects/project.collection.ts';
import { shownSnippets } from '../snippets/snippet.view.ts';
import { snippets } from '../snippets/snippets.projection.ts';
import { requireStorage, scheduleMove } from './storage-move.commands.ts';
import { type Moved, movesRequestDecider, movesRequestStream, projectMoved } from './storage-move.decider.ts';
import { groupStorageMoveJson, projectStorageMoveJson, snippetStorageMoveJson } from './storage-move.view.ts';
import { type StorageMoveRow, storageMoves } from './storage-moves.projection.ts';

type Endpoints = typeof projectStorageMoves | typeof snippetStorageMoves | typeof groupStorageMoves;

interface Place {
  moved: Moved;
  /** Where it is; null for what only its moves know. */
  source: string | null;
}

interface Kind<Shown> {
  kind: Moved['kind'];
  /** @throws not_found */
  placeOf(id: string | number): Promise<Place>;
  /** With what was moved. */
  shownOf(rows: readonly StorageMoveRow[]): Promise<Shown[]>;
  view: { one(shown: Shown): JsonTemplate; list(shown: readonly Shown[]): JsonTemplate };
}

/** Moves between storages, for administrators: docs/adr/0090-repositories-move-by-one-event.md. */
export function storageMoveRoutes(ports: RepoPorts): Implementation[] {
  const { directory, readStore } = ports;

  return [
    ...routesOf(ports, projectStorageMoves, {
      kind: 'project',
      view: projectStorageMoveJson.renderer(ports),
      async placeOf(id) {
        const named = parseIdOrPath(String(id));
        const found =
          typeof named === 'number' ? await directory.project(named) : await directory.projectByPath(named);
        if (!found) throw new Rejection('not_found', { what: 'Project' });
        return { moved: projectMoved(found.id), source: found.storage };
      },
      async shownOf(rows) {
        const ids = rows.map(({ projectId }) => projectId!);
        const found = await readStore.find(projects, { where: oneOf('id', ids), limit: ids.length });
        const byId = new Map(found.map((project) => [project.id, project]));
        return rows.flatMap((row) => {
          const project = byId.get(row.projectId!);
          return project ? [{ ...row, project }] : [];
        });
      },
    }),
    ...routesOf(ports, snippetStorageMoves, {
      kind: 'snippet',
      view: snippetStorageMoveJson.renderer(ports),
      async placeOf(id) {
        const found = await readStore.get(snippets, Number(id));
        if (!found) throw new Rejection('not_found', { what: 'Snippet' });
        const { id: snippetId, projectId, authorId } = found;
        return { moved: { kind: 'snippet', projectId, snippetId, authorId, groupId: null }, source: null };
      },
      async shownOf(rows) {
        const ids = rows.map(({ snippetId }) => snippetId!);
        const found = await readStore.find(snippets, { where: oneOf('id', ids), limit: ids.length });
        const byId = new Map((await shownSnippets(directory, found)).map((snippet) => [snippet.id, snippet]));
        return rows.flatMap((row) => {
          const snippet = byId.get(row.snippetId!);
          return snippet ? [{ ...row, snippet }] : [];
        });
      },
    }),
    ...routesOf(ports, groupStorageMoves, {
      kind: 'group',
      view: groupStorageMoveJson.renderer(ports),
      async placeOf(id) {
        const named = parseIdOrPath(String(id));
        const found =
          typeof named === 'number'
            ? await directory.namespace(named)
            : await directory.namespaceByPath(named);
        if (found?.kind !== 'group') throw new Rejection('not_found', { what: 'Group' });
        const ids = { projectId: null, snippetId: null, authorId: null, groupId: found.id };
        return { moved: { kind: 'group', ...ids }, source: null };
      },
      async shownOf(rows) {
        return Promise.all(
          rows.map(async (row) => {
            const group = await directory.namespace(row.groupId!);
            return { ...row, groupName: group?.name ?? '', groupPath: group?.fullPath ?? '' };
          }),
        );
      },
    }),
  ];
}

function routesOf<Shown>(
  ports: RepoPorts,
  endpoints: Endpoints,
  { kind, placeOf, shownOf, view }: Kind<Shown>,
): Implementation[] {
  const { commands, readStore, storages } = ports;

  async function listed(where: Condition, page: ApiRequest['page']) {
    const found = await pageOf(readStore, storageMoves, { where, sort: [desc('id')], page });
    return { kind: 'list' as const, items: view.list(await shownOf(found.documents)), next: found.next };
  }

  async function answerOf(id: number, where: Condition, status = 200) {
    const [row] = await readStore.find(storageMoves, { where: and(eq('id', id), where), limit: 1 });
    const [shown] = row ? await shownOf([row]) : [];
    if (!shown) throw new Rejection('record_not_found');
    return json(view.one(shown), { status });
  }

  const ofKind = eq('kind', kind);
  const ofOne = ({ projectId, snippetId, groupId }: Moved): Condition => {
    if (kind === 'project') return and(eq('projectId', projectId), ofKind);
    return kind === 'snippet' ? eq('snippetId', snippetId) : eq('groupId', groupId);
  };

  return [
    implement(endpoints.moveAll, async ({ params, metadata }) => {
      const { source_storage_name: source, destination_storage_name: destination = null } = params;
      const wrong = Object.entries(params).filter(
        ([, name]) => name !== undefined && !storages.all.includes(name as string),
      );
      if (wrong.length > 0)
        throw new Rejection('invalid_parameters', {
          problems: wrong.map(([name]) => `${name} does not have a valid value`),
        });
      const requestId = randomUUID();
      const command = { type: 'RequestMoves' as const, requestId, kind, source, destination };
      await commands.handle(movesRequestDecider, movesRequestStream(requestId), command, metadata);
      return accepted();
    }),
    implement(endpoints.listAll, ({ page }) => listed(ofKind, page)),
    implement(endpoints.getAny, ({ params }) => answerOf(params.repository_storage_move_id, ofKind)),
    implement(endpoints.list, async ({ params, page }) =>
      listed(ofOne((await placeOf(params.id)).moved), page),
    ),
    implement(endpoints.get, async ({ params }) =>
      answerOf(params.repository_storage_move_id, ofOne((await placeOf(params.id)).moved)),
    ),
    implement(endpoints.move, async ({ params, metadata }) => {
      const { destination_storage_name: destination } = params;
      requireStorage(ports, destination);
      const { moved, source } = await placeOf(params.id);
      const id = await scheduleMove(ports, moved, { source, destination }, metadata);
      return answerOf(id!, ofKind, 201);
    }),
  ];
}
