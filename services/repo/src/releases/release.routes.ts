import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  createRelease,
  deleteRelease,
  getRelease,
  listReleases,
  updateRelease,
} from '@forgelog/contracts/repo/releases/release.api.ts';
import { asc, desc, eq } from '@forgelog/eventing/query.ts';
import { json } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { serializedPerRef } from '../shared/ref-queue.ts';
import { refuseEmpty } from '../shared/revisions.ts';
import { makeTag, requireTaggable, TAGS } from '../tags/tag-creation.commands.ts';
import { requireReadable, requireReleaser } from './release.access.ts';
import { type ReleaseCommand, releaseDecider, releaseStream } from './release.decider.ts';
import { releaseQuery } from './release.query.ts';
import { releaseJson, releaseRequestOf } from './release.view.ts';
import { prepareEvidence } from './release-evidence.commands.ts';
import { milestonesNamed } from './release-milestones.query.ts';
import { type ReleaseRow, releases } from './releases.collection.ts';

export function releaseRoutes(ports: RepoPorts): Implementation[] {
  const { clock, commands, ids, readStore, repositories } = ports;
  const query = releaseQuery(ports);
  const view = releaseJson.renderer(ports);
  const now = () => clock().toISOString();

  async function rendered(release: ReleaseRow, { project: grant, principal }: ApiRequest, html?: boolean) {
    const [shown] = await query.shown([release], grant, principal, { html });
    return view.one(shown!, releaseRequestOf(grant, now()));
  }

  const handle = ({ project: { project }, metadata }: ApiRequest, command: ReleaseCommand) =>
    commands.handle(releaseDecider, releaseStream(project.id, command.tagName), command, metadata);

  /** Makes the tag unless it exists; `ref` means nothing then. @throws 422 without a ref */
  async function ensureTag({ params, project: grant, caller, metadata }: ApiRequest<typeof createRelease>) {
    const { tag_name: name, ref: target, tag_message: message } = params;
    const { project } = grant;
    if ((await repositories.of(project.id).tag(name)) !== undefined) return;
    if (!target) throw new Rejection('unprocessable', { message: 'Ref is not specified' });
    await requireTaggable(ports, grant, name);
    await makeTag(ports, project, { name, target, message }, { caller, metadata });
  }

  return [
    implementWithGit(listReleases, async ({ params, project: grant, principal, page }) => {
      requireReadable(grant);
      const field = params.order_by === 'created_at' ? 'createdAt' : 'releasedAt';
      const { documents, next } = await pageOf(readStore, releases, {
        where: eq('projectId', grant.project.id),
        sort: [params.sort === 'asc' ? asc(field) : desc(field)],
        page,
      });
      const shown = await query.shown(documents, grant, principal, {
        html: params.include_html_description,
      });
      return { kind: 'list', items: view.list(shown, releaseRequestOf(grant, now())), next };
    }),

    implementWithGit(getRelease, async (request) => {
      const { params, project: grant } = request;
      requireReadable(grant);
      const release = await query.need(grant.project.id, params.tag_name);
      return json(await rendered(release, request, params.include_html_description));
    }),

    implementWithGit(createRelease, async (request) => {
      const { params, project: grant, caller } = request;
      const { tag_name: tagName } = params;
      const projectId = grant.project.id;
      refuseEmpty(params, 'tag_name');
      await requireReleaser(ports, grant, tagName);
      const milestoneIds = (await milestonesNamed(ports, projectId, params.milestones, caller)) ?? [];
      const links = (params.assets?.links ?? []).map((link) => ({
        ...{ releaseLinkId: 0, name: link.name, url: link.url },
        ...{ filepath: link.filepath || null, linkType: link.link_type },
      }));
      const command = {
        ...{ type: 'CreateRelease' as const, projectId, tagName, releaseId: 0, userId: caller.userId },
        name: params.name || tagName,
        description: params.description ?? null,
        releasedAt: params.released_at ?? now(),
        ...{ milestoneIds, links, now: now(), evidence: null },
      };
      // The tag comes first: killed in between, it waits for a repeat of the call, which takes it up.
      await serializedPerRef(projectId, TAGS + tagName, async () => {
        // What is refused leaves no tag.
        const { state } = await commands.load(releaseDecider, releaseStream(projectId, tagName));
        releaseDecider.decide(command, state);
        await ensureTag(request);
        const isOut = command.releasedAt <= command.now;
        const linkIds = links.length > 0 ? await ids.many('releaseLink', links.length) : [];
        await handle(request, {
          ...command,
          releaseId: await ids.next('release'),
          links: links.map((link, at) => ({ ...link, releaseLinkId: linkIds[at]! })),
          evidence: isOut ? await prepareEvidence(ports, projectId, tagName, milestoneIds) : null,
        });
      });
      return json(await rendered(await query.need(projectId, tagName), request), { status: 201 });
    }),

    implementWithGit(updateRelease, async (request) => {
      const { params, project: grant, caller } = request;
      const { tag_name: tagName, name, description, released_at: releasedAt } = params;
      const projectId = grant.project.id;
      await requireReleaser(ports, grant, tagName);
      const milestoneIds = await milestonesNamed(ports, projectId, params.milestones, caller);
      const row = await query.need(projectId, tagName);
      const command = { type: 'UpdateRelease' as const, projectId, tagName, now: now() };
      const isDue = row.evidenceDueAt !== null && (releasedAt ?? row.releasedAt) <= command.now;
      const evidence = isDue
        ? await prepareEvidence(ports, projectId, tagName, milestoneIds ?? row.milestoneIds)
        : null;
      await handle(request, {
        ...command,
        changes: { name, description, releasedAt, milestoneIds },
        evidence,
      });
      return json(await rendered(await query.need(projectId, tagName), request));
    }),

    implementWithGit(deleteRelease, async (request) => {
      const { params, project: grant } = request;
      const { tag_name: tagName } = params;
      const projectId = grant.project.id;
      await requireReleaser(ports, grant, tagName);
      const deleted = await rendered(await query.need(projectId, tagName), request);
      await handle(request, { type: 'DeleteRelease', projectId, tagName });
      return json(deleted);
    }),
  ];
}
