import { Rejection } from '@forgelog/contracts/errors.ts';
import { and, asc, desc, eq, oneOf } from '@forgelog/eventing/query.ts';
import type { Commit } from '@forgelog/git/objects/commit-object.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { markdownToHtml } from '@forgelog/service-kit/markdown/markdown.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { RepoPorts } from '../ports.ts';
import { milestonesById, type ReleaseMilestone } from './release-milestones.query.ts';
import {
  type ReleaseEvidenceRow,
  type ReleaseLinkRow,
  type ReleaseRow,
  releaseEvidences,
  releaseLinks,
  releases,
} from './releases.collection.ts';

export interface ShownLink extends ReleaseLinkRow {
  external: boolean;
  directUrl: string;
}

export interface ShownRelease extends ReleaseRow {
  /** The newest first. */
  links: readonly ShownLink[];
  /** The oldest first. */
  evidences: readonly Omit<ReleaseEvidenceRow, 'snapshot'>[];
  /** None where the caller may see neither issues nor merge requests. */
  milestones: readonly ReleaseMilestone[];
  /** Undefined for a tag of something else, and where the caller does not see the code. */
  commit: Commit | undefined;
  /** Addresses of the project and of the release. */
  projectUrl: string;
  projectPath: string;
  url: string;
  /** The description as HTML; undefined unless it was asked for. */
  html: string | undefined;
}

/** A page of 100 releases has no more: 500 each. */
const MOST_LINKS = 50_000;
const MOST_EVIDENCES = 50_000;

export function releaseQuery({
  readStore,
  repositories,
  host,
  operations,
}: Pick<RepoPorts, 'readStore' | 'repositories' | 'host' | 'operations'>) {
  const externalUrl: string = JSON.parse(`"${host}"`);

  async function find(projectId: number, tagName: string): Promise<ReleaseRow | undefined> {
    const where = and(eq('projectId', projectId), eq('tagName', tagName));
    return (await readStore.find(releases, { where, limit: 1 }))[0];
  }

  async function commitOf(projectId: number, tagName: string): Promise<Commit | undefined> {
    const repository = repositories.of(projectId);
    const tag = await repository.tag(tagName);
    return tag?.commitOid === undefined ? undefined : repository.commit(tag.commitOid);
  }

  function linkShown(link: ReleaseLinkRow, projectUrl: string, releaseUrl: string): ShownLink {
    return {
      ...link,
      external: !link.url.startsWith(`${projectUrl}/`),
      directUrl: link.filepath === null ? link.url : `${releaseUrl}/downloads${link.filepath}`,
    };
  }

  const urlsOf = ({ project }: { project: Pick<ProjectGrant['project'], 'fullPath'> }, tagName: string) => {
    const projectUrl = `${externalUrl}/${project.fullPath}`;
    return { projectUrl, url: `${projectUrl}/-/releases/${encodeURIComponent(tagName)}` };
  };

  return {
    externalUrl,
    find,
    urlsOf,
    linkShown,

    /** @throws 404 */
    async need(projectId: number, tagName: string): Promise<ReleaseRow> {
      const release = await find(projectId, tagName);
      if (!release) throw new Rejection('nothing_found');
      return release;
    },

    /** Adds what answers show besides the rows. Without a right to the code, git is not asked. */
    async shown(
      rows: readonly ReleaseRow[],
      grant: ProjectGrant,
      principal: Principal | null,
      { html = false }: { html?: boolean | undefined } = {},
    ): Promise<ShownRelease[]> {
      const { project } = grant;
      const showsCode = grant.can('repository');
      const where = oneOf(
        'releaseId',
        rows.map(({ id }) => id),
      );
      const seesMilestones = grant.can('issues') || grant.can('merge_requests');
      const milestoneIds = seesMilestones ? rows.flatMap((row) => row.milestoneIds) : [];
      const [milestones, links, evidences] = await Promise.all([
        milestonesById({ operations }, milestoneIds, principal),
        readStore.find(releaseLinks, { where, sort: [desc('id')], limit: MOST_LINKS }),
        readStore.find(releaseEvidences, {
          where,
          sort: [asc('id')],
          limit: MOST_EVIDENCES,
          select: ['id', 'releaseId', 'projectId', 'sha', 'collectedAt'],
        }),
      ]);
      return Promise.all(
        rows.map(async (row) => {
          const { projectUrl, url } = urlsOf(grant, row.tagName);
          return {
            ...row,
            links: links
              .filter(({ releaseId }) => releaseId === row.id)
              .map((link) => linkShown(link, projectUrl, url)),
            milestones: row.milestoneIds.flatMap((id) => milestones.get(id) ?? []),
            evidences: evidences.filter(({ releaseId }) => releaseId === row.id),
            commit: showsCode ? await commitOf(project.id, row.tagName) : undefined,
            projectUrl,
            projectPath: project.fullPath,
            url,
            html: html ? await markdownToHtml(row.description ?? '', { projectUrl, externalUrl }) : undefined,
          };
        }),
      );
    },

    shownLinks(rows: readonly ReleaseLinkRow[], grant: ProjectGrant, tagName: string): ShownLink[] {
      const { projectUrl, url } = urlsOf(grant, tagName);
      return rows.map((link) => linkShown(link, projectUrl, url));
    },
  };
}
