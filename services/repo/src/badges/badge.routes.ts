import { Rejection } from '@forgelog/contracts/errors.ts';
import { groupBadges, projectBadges } from '@forgelog/contracts/repo/badges/badge.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, asc, type Condition, eq, oneOf, or } from '@forgelog/eventing/query.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { repositoryRefs } from '../repository-storage/repository-refs.projection.ts';
import { type BadgePlace, badgeDecider, badgeStream } from './badge.decider.ts';
import { type BadgeAddresses, badgeJson, badgePreviewJson } from './badge.view.ts';
import { type BadgeValues, renderedAddress } from './badge-address.ts';
import { type BadgeRow, badges } from './badges.projection.ts';

interface Kind {
  placeOf(request: ApiRequest): BadgePlace;
  /** What a list and a single read find. */
  shown(request: ApiRequest): Promise<Condition>;
  /** Null where no project is shown: placeholders of a group's badges stay. */
  valuesOf(request: ApiRequest): Promise<BadgeValues | null>;
}

export function badgeRoutes(ports: ServicePorts): Implementation[] {
  const { readStore, directory } = ports;

  async function ofProject({ project }: ApiRequest): Promise<Condition> {
    const { id } = project.project;
    const groups = (await directory.project(id))?.ancestors ?? [];
    return or(eq('projectId', id), oneOf('groupId', groups));
  }

  /** The default branch and its commit are for those who see the code. */
  async function valuesOf({ project: { project, can } }: { project: ProjectGrant }): Promise<BadgeValues> {
    const { id, fullPath, name, path, defaultBranch } = project;
    const branch = can('repository') ? defaultBranch : null;
    const ref =
      branch === null ? undefined : await readStore.get(repositoryRefs, `${id} refs/heads/${branch}`);
    return {
      project_path: fullPath,
      project_title: name,
      project_name: path,
      project_id: String(id),
      default_branch: branch,
      commit_sha: ref?.oid ?? null,
    };
  }

  return [
    ...routesOf(ports, projectBadges, {
      placeOf: ({ project }) => ({ projectId: project.project.id, groupId: null }),
      shown: ofProject,
      valuesOf,
    }),
    ...routesOf(ports, groupBadges, {
      placeOf: ({ group }) => ({ projectId: null, groupId: group.group.id }),
      shown: async ({ group }) => eq('groupId', group.group.id),
      valuesOf: async () => null,
    }),
  ];
}

function routesOf(
  ports: ServicePorts,
  endpoints: typeof projectBadges | typeof groupBadges,
  { placeOf, shown, valuesOf }: Kind,
): Implementation[] {
  const { commands, ids, readStore } = ports;
  const view = badgeJson.renderer(ports);
  const preview = badgePreviewJson.renderer(ports);

  async function found(request: ApiRequest, id: number): Promise<BadgeRow> {
    const where = and(eq('id', id), await shown(request));
    const [row] = await readStore.find(badges, { where, limit: 1 });
    if (!row) throw new Rejection('not_found', { what: 'Badge' });
    return row;
  }

  /** A project shows the badges of its groups, and only their owners change those. */
  async function requireOwn(request: ApiRequest, id: number): Promise<void> {
    const { projectId } = await found(request, id);
    if (projectId !== placeOf(request).projectId)
      throw new Rejection('forbidden', {
        reason: 'The badge belongs to a group above the project: change it by the endpoints of the group',
      });
  }

  const answerOf = async (request: ApiRequest, id: number) =>
    json(view.one(withKind(await found(request, id), await valuesOf(request))));

  return [
    implement(endpoints.list, async (request) => {
      const { page, params } = request;
      const named = params.name === undefined ? [] : [eq('name', params.name)];
      const where = and(await shown(request), ...named);
      const { documents, next } = await pageOf(readStore, badges, { where, sort: [asc('id')], page });
      const values = await valuesOf(request);
      return { kind: 'list', items: view.list(documents.map((row) => withKind(row, values))), next };
    }),

    implement(endpoints.get, async (request) => answerOf(request, request.params.badge_id)),

    implement(endpoints.render, async (request) => {
      const { link_url: linkUrl, image_url: imageUrl } = request.params;
      return json(preview.one(rendered({ linkUrl, imageUrl }, await valuesOf(request))));
    }),

    implement(endpoints.create, async (request) => {
      const { name = null, link_url: linkUrl, image_url: imageUrl } = request.params;
      const badgeId = await ids.next('badge');
      const command = { type: 'CreateBadge', badgeId, ...placeOf(request), name, linkUrl, imageUrl } as const;
      await commands.handle(badgeDecider, badgeStream(badgeId), command, request.metadata, {
        mustBeNew: true,
      });
      return answerOf(request, badgeId);
    }),

    implement(endpoints.update, async (request) => {
      const { badge_id: badgeId, name, link_url: linkUrl, image_url: imageUrl } = request.params;
      await requireOwn(request, badgeId);
      const changes = { name, linkUrl, imageUrl };
      const command = { type: 'UpdateBadge', badgeId, ...placeOf(request), changes } as const;
      await commands.handle(badgeDecider, badgeStream(badgeId), command, request.metadata);
      return answerOf(request, badgeId);
    }),

    implement(endpoints.delete, async (request) => {
      const badgeId = request.params.badge_id;
      await requireOwn(request, badgeId);
      const command = { type: 'DeleteBadge', badgeId, ...placeOf(request) } as const;
      await commands.handle(badgeDecider, badgeStream(badgeId), command, request.metadata);
      return noContent();
    }),
  ];
}

const rendered = <Addresses extends BadgeAddresses>(badge: Addresses, values: BadgeValues | null) => ({
  ...badge,
  renderedLinkUrl: values ? renderedAddress(badge.linkUrl, values) : badge.linkUrl,
  renderedImageUrl: values ? renderedAddress(badge.imageUrl, values) : badge.imageUrl,
});

const withKind = (row: BadgeRow, values: BadgeValues | null) => ({
  ...rendered(row, values),
  kind: row.groupId === null ? ('project' as const) : ('group' as const),
});
