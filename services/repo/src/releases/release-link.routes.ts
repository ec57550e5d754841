import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createReleaseLink,
  deleteReleaseLink,
  getReleaseLink,
  listReleaseLinks,
  updateReleaseLink,
} from '@forgelog/contracts/repo/releases/release-link.api.ts';
import { desc, eq } from '@forgelog/eventing/query.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { requireReadable, requireReleaser } from './release.access.ts';
import { type ReleaseCommand, releaseDecider, releaseStream } from './release.decider.ts';
import { releaseQuery } from './release.query.ts';
import { releaseLinkJson } from './release.view.ts';
import { type ReleaseLinkRow, releaseLinks } from './releases.collection.ts';

type Asked = Pick<ApiRequest, 'project'> & { params: { tag_name: string } };

export function releaseLinkRoutes(ports: RepoPorts): Implementation[] {
  const { commands, ids, readStore } = ports;
  const query = releaseQuery(ports);
  const view = releaseLinkJson.renderer(ports);

  const releaseOf = ({ params, project: { project } }: Asked) => query.need(project.id, params.tag_name);

  /** @throws 404 for a link of another release too */
  async function find(request: Asked, id: number): Promise<ReleaseLinkRow> {
    const release = await releaseOf(request);
    const link = await readStore.get(releaseLinks, id);
    if (link?.releaseId !== release.id) throw new Rejection('record_not_found');
    return link;
  }

  const answer = ({ params, project }: Asked, link: ReleaseLinkRow, status = 200) =>
    json(view.one(query.shownLinks([link], project, params.tag_name)[0]!), { status });

  const handle = ({ project: { project }, metadata }: ApiRequest, command: ReleaseCommand) =>
    commands.handle(releaseDecider, releaseStream(project.id, command.tagName), command, metadata);

  return [
    implement(listReleaseLinks, async (request) => {
      const { params, project, page } = request;
      requireReadable(project);
      const { documents, next } = await pageOf(readStore, releaseLinks, {
        where: eq('releaseId', (await releaseOf(request)).id),
        sort: [desc('id')],
        page,
      });
      return { kind: 'list', items: view.list(query.shownLinks(documents, project, params.tag_name)), next };
    }),

    implement(getReleaseLink, async (request) => {
      requireReadable(request.project);
      return answer(request, await find(request, request.params.link_id));
    }),

    implement(createReleaseLink, async (request) => {
      const { params, project: grant } = request;
      const { tag_name: tagName, name, url, link_type: linkType } = params;
      await requireReleaser(ports, grant, tagName);
      const command = (releaseLinkId: number) => ({
        ...{ type: 'AddReleaseLink' as const, projectId: grant.project.id, tagName },
        link: { releaseLinkId, name, url, filepath: params.filepath || null, linkType },
      });
      // Validate before reserving an id.
      const { state } = await commands.load(releaseDecider, releaseStream(grant.project.id, tagName));
      releaseDecider.decide(command(0), state);
      const id = await ids.next('releaseLink');
      await handle(request, command(id));
      return answer(request, await find(request, id), 201);
    }),

    implement(updateReleaseLink, async (request) => {
      const { params, project: grant } = request;
      const { tag_name: tagName, link_id: releaseLinkId, name, url, filepath, link_type: linkType } = params;
      await requireReleaser(ports, grant, tagName);
      const changes = { name, url, filepath: filepath === '' ? null : filepath, linkType };
      const ids = { projectId: grant.project.id, tagName, releaseLinkId };
      await handle(request, { type: 'UpdateReleaseLink', ...ids, changes });
      return answer(request, await find(request, releaseLinkId));
    }),

    implement(deleteReleaseLink, async (request) => {
      const { params, project: grant } = request;
      const { tag_name: tagName, link_id: releaseLinkId } = params;
      await requireReleaser(ports, grant, tagName);
      const link = await find(request, releaseLinkId);
      const ids = { projectId: grant.project.id, tagName, releaseLinkId };
      await handle(request, { type: 'RemoveReleaseLink', ...ids });
      return answer(request, link);
    }),
  ];
}
