import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { releaseView } from '@forgelog/contracts/repo/releases/release.api.ts';
import { releaseLinkView } from '@forgelog/contracts/repo/releases/release-link.api.ts';
import type { ProjectGrant } from '@forgelog/service-kit/access.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { ifGiven, when } from '@forgelog/service-kit/view-optional.ts';
import { derived, given, nested, nestedList } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import { detailedCommitJson } from '../commits/commit.view.ts';
import type { ShownLink, ShownRelease } from './release.query.ts';

interface ReleaseRequest {
  now: string;
  showsCode: boolean;
  mayEdit: boolean;
}

export function releaseRequestOf(grant: ProjectGrant, now: string): ReleaseRequest {
  const showsCode = grant.can('repository');
  const mayEdit = showsCode && grant.level >= AccessLevel.developer && grant.project.readOnly === null;
  return { now, showsCode, mayEdit };
}

const SOURCES = ['zip', 'tar.gz', 'tar.bz2', 'tar'] as const;

export const releaseLinkJson = implementView(releaseLinkView).from<ShownLink>({
  id: 'id',
  name: 'name',
  url: 'url',
  external: 'external',
  link_type: derived(['linkType'], (type: string) => type as 'other'),
  direct_asset_url: 'directUrl',
});

const showsCode = ({ showsCode }: ReleaseRequest) => showsCode;

/** Release [L60]. */
export const releaseJson = implementView(releaseView).from<ShownRelease, ReleaseRequest>({
  tag_name: 'tagName',
  name: 'name',
  description: 'description',
  description_html: ifGiven(({ html }: ShownRelease) => html),
  created_at: 'createdAt',
  released_at: 'releasedAt',
  upcoming_release: derived(['releasedAt'], (at: string, { now }: ReleaseRequest) => at > now),
  author: user('authorId'),
  commit: when(
    showsCode,
    nested(detailedCommitJson, ({ commit }: ShownRelease) => commit),
  ),
  milestones: given(({ milestones }: ShownRelease) => [...milestones]),
  commit_path: ifGiven(
    ({ commit, projectPath }: ShownRelease) => commit && `/${projectPath}/-/commit/${commit.id}`,
  ),
  tag_path: ifGiven(({ tagName, projectPath }: ShownRelease, request: ReleaseRequest) =>
    request.showsCode ? `/${projectPath}/-/tags/${encodeURIComponent(tagName)}` : undefined,
  ),
  assets: {
    count: given(
      ({ links }: ShownRelease, request: ReleaseRequest) =>
        links.length + (request.showsCode ? SOURCES.length : 0),
    ),
    sources: when(showsCode, given(sourcesOf)),
    links: nestedList(releaseLinkJson, ({ links }: ShownRelease) => links),
    evidence_file_path: ifGiven((release: ShownRelease, request: ReleaseRequest) => {
      const newest = request.showsCode ? release.evidences.at(-1) : undefined;
      return newest && evidencePath(release, newest);
    }),
  },
  evidences: when(
    showsCode,
    given((release: ShownRelease) =>
      release.evidences.map((evidence) => ({
        sha: evidence.sha,
        filepath: evidencePath(release, evidence),
        collected_at: evidence.collectedAt,
      })),
    ),
  ),
  _links: {
    self: 'url',
    edit_url: ifGiven(({ url }: ShownRelease, { mayEdit }: ReleaseRequest) =>
      mayEdit ? `${url}/edit` : undefined,
    ),
  },
});

const evidencePath = ({ url }: ShownRelease, { id }: { id: number }) => `${url}/evidences/${id}.json`;

export function sourcesOf({
  tagName,
  projectUrl,
  projectPath,
}: Pick<ShownRelease, 'tagName' | 'projectUrl' | 'projectPath'>) {
  const ref = tagName.split('/').map(encodeURIComponent).join('/');
  const project = projectPath.slice(projectPath.lastIndexOf('/') + 1);
  const file = `${project}-${encodeURIComponent(tagName.replaceAll('/', '-'))}`;
  return SOURCES.map((format) => ({ format, url: `${projectUrl}/-/archive/${ref}/${file}.${format}` }));
}
