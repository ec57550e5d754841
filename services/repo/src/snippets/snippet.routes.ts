import { createHash } from 'node:crypto';
import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  listOwnSnippets,
  listPublicSnippets,
  personalSnippets,
  projectSnippets,
  SNIPPET_BRANCH,
} from '@forgelog/contracts/repo/snippets/snippet.api.ts';
import { parseIdOrPath } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { allowedVisibility } from '@forgelog/directory/settings.ts';
import { and, type Condition, desc, eq, isEmpty } from '@forgelog/eventing/query.ts';
import { type Answer, json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { matchesEtag, notModified } from '@forgelog/service-kit/conditional.ts';
import { disposition } from '@forgelog/service-kit/disposition.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { requireUnmodifiedSince } from '@forgelog/service-kit/precondition.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import {
  readableInProject,
  requireChangeable,
  requireOfProject,
  requirePersonal,
  writtenBy,
} from './snippet.access.ts';
import { type SnippetCommand, snippetDecider, snippetStream, type WantedFiles } from './snippet.decider.ts';
import { shownSnippets, snippetJson, userAgentJson } from './snippet.view.ts';
import { fileKey, type SnippetRow, snippetFiles, snippets } from './snippets.projection.ts';

/** Where snippets are: in a project, or with a person. */
interface Place {
  projectIdOf(request: ApiRequest): number | null;
  /** @throws where there is none that the caller may see */
  require(request: ApiRequest): Promise<SnippetRow>;
  /** The caller's level where it is. */
  levelOf(request: ApiRequest): number;
}

const authorOf = ({ name, email }: ApiRequest['caller']) => ({ name, email });

type Endpoints = typeof projectSnippets | typeof personalSnippets;

export function snippetRoutes(ports: ServicePorts): Implementation[] {
  const { directory, readStore } = ports;
  const view = snippetJson.renderer(ports);

  const agentView = userAgentJson.renderer(ports);

  /** For administrators, who see every project. @throws record_not_found */
  async function agentOf(id: number, projectId: number | null): Promise<Answer> {
    const row = await readStore.get(snippets, id);
    if (!row || row.projectId !== projectId) throw new Rejection('record_not_found');
    return json(agentView.one(row));
  }

  async function listed(where: Condition, page: ApiRequest['page']): Promise<Answer> {
    const { documents, next } = await pageOf(readStore, snippets, { where, sort: [desc('id')], page });
    return { kind: 'list', items: view.list(await shownSnippets(directory, documents)), next };
  }

  return [
    implement(listOwnSnippets, async ({ caller, page }) => listed(await writtenBy(directory, caller), page)),
    implement(listPublicSnippets, ({ page }) =>
      listed(and(eq('visibility', 'public'), isEmpty('projectId')), page),
    ),
    implement(projectSnippets.list, ({ project, principal, page }) =>
      listed(readableInProject(project, principal), page),
    ),
    implement(projectSnippets.userAgent, async ({ params }) => {
      const named = parseIdOrPath(params.id);
      const project =
        typeof named === 'number' ? await directory.project(named) : await directory.projectByPath(named);
      if (!project) throw new Rejection('not_found', { what: 'Project' });
      return agentOf(params.snippet_id, project.id);
    }),
    implement(personalSnippets.userAgent, ({ params }) => agentOf(params.id, null)),
    ...routesOf(ports, projectSnippets, {
      projectIdOf: ({ project }) => project.project.id,
      require: ({ project, principal, params }) =>
        requireOfProject(readStore, project, principal, params.snippet_id as number),
      levelOf: ({ project }) => project.level,
    }),
    ...routesOf(ports, personalSnippets, {
      projectIdOf: () => null,
      require: ({ principal, params }) => requirePersonal(readStore, principal, params.id as number),
      levelOf: ({ caller }) => (caller.isAdmin ? AccessLevel.owner : AccessLevel.none),
    }),
  ];
}

function routesOf(ports: ServicePorts, endpoints: Endpoints, place: Place): Implementation[] {
  const { commands, directory, ids, readStore } = ports;
  const view = snippetJson.renderer(ports);

  async function answerOf(row: SnippetRow, status = 200) {
    const [shown] = await shownSnippets(directory, [row]);
    return json(view.one(shown!), { status });
  }

  const handle = (command: SnippetCommand, { metadata }: ApiRequest) =>
    commands.handle(snippetDecider, snippetStream(command.snippetId), command, metadata);

  /** One that the caller may change. */
  async function own(request: ApiRequest): Promise<SnippetRow> {
    const row = await place.require(request);
    requireChangeable(row, request.caller, place.levelOf(request));
    return row;
  }

  async function rawAnswer(request: ApiRequest, row: SnippetRow, path: string): Promise<Answer> {
    const file = await readStore.get(snippetFiles, fileKey(row.id, path));
    if (!file) throw new Rejection('not_found', { what: 'File' });
    const bytes = Buffer.from(file.content);
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    if (matchesEtag(request.headers, etag)) return notModified(etag);
    const headers = {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Disposition': disposition('inline', path.split('/').at(-1)),
      'X-Content-Type-Options': 'nosniff',
      ETag: etag,
    };
    return { kind: 'bytes', status: 200, bytes, headers };
  }

  return [
    implement(endpoints.create, async (request) => {
      const { params, caller } = request;
      const projectId = place.projectIdOf(request);
      if (projectId === null && caller.external) throw new Rejection('forbidden', {});
      const { file_name, content, files } = params;
      const given = files ?? [{ file_path: file_name, content }];
      const visibility = await allowedVisibility(ports, {
        wanted: params.visibility,
        isAdmin: caller.isAdmin,
        fallback: 'default_snippet_visibility',
      });
      const commandFor = (snippetId: number): SnippetCommand => ({
        ...{ type: 'CreateSnippet', snippetId, projectId, authorId: caller.userId },
        attributes: { title: params.title, description: params.description ?? null, visibility },
        files: given.map((file) => ({ action: 'create', ...file })),
        author: authorOf(caller),
      });
      // What is invalid takes no id.
      snippetDecider.decide(commandFor(0), snippetDecider.initialState);
      const id = await ids.next('snippet');
      await handle(commandFor(id), request);
      return answerOf((await readStore.get(snippets, id))!, 201);
    }),

    implement(endpoints.get, async (request) => answerOf(await place.require(request))),

    implement(endpoints.update, async (request) => {
      const { params, caller } = request;
      const { id: snippetId, projectId, authorId, visibility: present } = await own(request);
      const { title, description, visibility, file_name: path, content, files } = params;
      if (visibility && visibility !== present)
        await allowedVisibility(ports, {
          ...{ wanted: visibility, isAdmin: caller.isAdmin, fallback: 'default_snippet_visibility' },
        });
      const wanted: WantedFiles = files ? { actions: files } : { path, content };
      const changes = { title, description, visibility };
      await handle(
        {
          ...{ type: 'UpdateSnippet', snippetId, projectId, authorId, changes, files: wanted },
          author: authorOf(caller),
        },
        request,
      );
      return answerOf((await readStore.get(snippets, snippetId))!);
    }),

    implement(endpoints.delete, async (request) => {
      const { id: snippetId, projectId, authorId, updatedAt } = await own(request);
      requireUnmodifiedSince(request.headers, updatedAt);
      await handle({ type: 'DeleteSnippet', snippetId, projectId, authorId }, request);
      return noContent();
    }),

    implement(endpoints.raw, async (request) => {
      const row = await place.require(request);
      return rawAnswer(request, row, row.paths[0]!);
    }),

    implement(endpoints.rawFile, async (request) => {
      const { ref, file_path: path } = request.params;
      const row = await place.require(request);
      if (ref !== SNIPPET_BRANCH && ref !== 'HEAD') throw new Rejection('not_found', { what: 'Reference' });
      return rawAnswer(request, row, path);
    }),
  ];
}
