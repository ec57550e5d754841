import { Rejection } from '@forgelog/contracts/errors.ts';
import {
  collectReleaseEvidence,
  downloadReleaseAsset,
  getReleaseEvidence,
  getReleaseFeed,
} from '@forgelog/contracts/repo/releases/release-asset.api.ts';
import { and, desc, eq, range } from '@forgelog/eventing/query.ts';
import { json, value } from '@forgelog/service-kit/answer.ts';
import { markdownToHtml } from '@forgelog/service-kit/markdown/markdown.ts';
import type { Implementation } from '@forgelog/service-kit/service.ts';
import type { RepoPorts } from '../ports.ts';
import { implementWithGit } from '../shared/git-refusals.ts';
import { requireReadable, requireReleaser } from './release.access.ts';
import { releaseDecider, releaseStream } from './release.decider.ts';
import { releaseQuery } from './release.query.ts';
import { releaseJson, releaseRequestOf } from './release.view.ts';
import { prepareEvidence } from './release-evidence.commands.ts';
import { releaseEvidences, releaseLinks, releases } from './releases.collection.ts';

const MOST_IN_FEED = 50;

export function releaseAssetRoutes(ports: RepoPorts): Implementation[] {
  const { clock, commands, directory, readStore } = ports;
  const query = releaseQuery(ports);
  const view = releaseJson.renderer(ports);
  const now = () => clock().toISOString();

  async function authorsOf(userId: number) {
    const user = await directory.user(userId);
    return user ? [{ name: user.name, url: `${query.externalUrl}/${user.username}` }] : [];
  }

  return [
    implementWithGit(downloadReleaseAsset, async ({ params, project: grant }) => {
      requireReadable(grant);
      const release = await query.need(grant.project.id, params.tag_name);
      const where = and(eq('releaseId', release.id), eq('filepath', `/${params.filepath}`));
      const [link] = await readStore.find(releaseLinks, { where, limit: 1 });
      if (!link) throw new Rejection('not_found', { what: 'File' });
      // The address that leads here may have a credential in its query, which is nobody else's to know.
      const headers = { Location: link.url, 'Referrer-Policy': 'no-referrer' };
      return { kind: 'empty', status: 302, headers };
    }),

    implementWithGit(getReleaseEvidence, async ({ params, project: grant }) => {
      const release = await query.need(grant.project.id, params.tag_name);
      const evidence = await readStore.get(releaseEvidences, params.evidence_id);
      if (evidence?.releaseId !== release.id) throw new Rejection('record_not_found');
      const headers = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };
      return { kind: 'text', text: evidence.snapshot, headers };
    }),

    implementWithGit(collectReleaseEvidence, async ({ params, project: grant, caller, metadata }) => {
      const { tag_name: tagName } = params;
      const projectId = grant.project.id;
      await requireReleaser(ports, grant, tagName);
      const release = await query.need(projectId, tagName);
      const evidence = await prepareEvidence(ports, projectId, tagName, release.milestoneIds);
      if (!evidence) throw new Rejection('not_found', { what: 'Tag' });
      const command = { type: 'CollectEvidence' as const, projectId, tagName, ...evidence };
      await commands.handle(releaseDecider, releaseStream(projectId, tagName), command, metadata);
      const [shown] = await query.shown([release], grant, caller);
      return json(view.one(shown!, releaseRequestOf(grant, now())));
    }),

    implementWithGit(getReleaseFeed, async ({ project: grant }) => {
      requireReadable(grant);
      const found = await readStore.find(releases, {
        where: and(eq('projectId', grant.project.id), range('releasedAt', { lte: now() })),
        sort: [desc('releasedAt')],
        limit: MOST_IN_FEED,
      });
      const { projectUrl } = query.urlsOf(grant, '');
      const items = found.map(async (release) => {
        const { url } = query.urlsOf(grant, release.tagName);
        return {
          ...{
            id: url,
            url,
            title: release.name,
            content_html: await markdownToHtml(release.description ?? ''),
          },
          ...{ date_published: release.releasedAt, date_modified: release.updatedAt },
          authors: await authorsOf(release.authorId),
        };
      });
      return value({
        version: 'https://jsonfeed.org/version/1.1',
        title: `${grant.project.name}: releases`,
        home_page_url: projectUrl,
        feed_url: `${projectUrl}/-/releases.json`,
        items: await Promise.all(items),
      });
    }),
  ];
}
