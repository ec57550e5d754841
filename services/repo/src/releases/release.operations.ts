import { describeRelease } from '@forgelog/contracts/repo/releases/release.operations.ts';
import type { RELEASE_LINK_TYPES } from '@forgelog/contracts/repo/releases/release-link.api.ts';
import { desc, eq } from '@forgelog/eventing/query.ts';
import { describedRow } from '@forgelog/service-kit/described-record.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { RepoPorts } from '../ports.ts';
import { releaseQuery } from './release.query.ts';
import { sourcesOf } from './release.view.ts';
import { releaseLinks, releases } from './releases.collection.ts';

const MOST_LINKS = 500;

export function releaseOperations(ports: RepoPorts): OperationImplementation[] {
  const { readStore, directory } = ports;
  const { linkShown, urlsOf } = releaseQuery(ports);
  return [
    implementOperation(describeRelease, async ({ request }) => {
      const [row] = await readStore.find(releases, describedRow(request));
      const project = row && (await directory.project(row.projectId));
      if (!row || !project) return { release: null };
      const { id, projectId, tagName, name, description, createdAt, releasedAt } = row;
      const { projectUrl, url } = urlsOf({ project }, tagName);
      const where = eq('releaseId', id);
      const links = await readStore.find(releaseLinks, { where, sort: [desc('id')], limit: MOST_LINKS });
      return {
        release: {
          ...{ id, projectId, tagName, name, description, createdAt, releasedAt, url },
          links: links.map((link) => {
            const { external, linkType } = linkShown(link, projectUrl, url);
            const type = linkType as (typeof RELEASE_LINK_TYPES)[number];
            return { id: link.id, name: link.name, url: link.url, external, linkType: type };
          }),
          sources: sourcesOf({ tagName, projectUrl, projectPath: project.fullPath }),
        },
      };
    }),
  ];
}
