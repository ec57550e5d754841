import { AccessLevel } from '@forgelog/contracts/endpoint.ts';
import { describeCommits, findCommit } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import type { Authorizer, ProjectGrant } from '@forgelog/service-kit/access.ts';
import type { Reference, ReferenceLink } from '@forgelog/service-kit/markdown/references.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { externalIssues } from '../integrations/external-issues.ts';
import { readableIssue } from '../issues/issue.access.ts';
import { labelsFor, labelTitled, requireLabel } from '../labels/label.query.ts';
import type { LabelRow } from '../labels/labels.projection.ts';
import { mergeRequestOf } from '../merge-requests/merge-request.access.ts';
import { milestonesFor, shownMilestones } from '../milestones/milestone.query.ts';
import { milestones } from '../milestones/milestones.projection.ts';

const FULL_ID = /^[0-9a-f]{40}$/;
const NUMBER = /^\d{1,9}$/;
/** A text names so many commits; others stay text, as each asks the repository. */
const MOST_COMMITS = 20;

export interface Reader {
  principal: Principal | null;
  /** The project whose text it is. */
  project: ProjectGrant | undefined;
}

/** Finds what texts name, as far as a reader may read it. */
export function referenceLinks(ports: ServicePorts, authorizer: Authorizer) {
  const { directory, readStore, operations } = ports;
  const { externalUrl } = directory;
  const externalIssueOf = externalIssues(readStore);

  async function grantOf(path: string | null, { project, principal }: Reader) {
    if (path === null) return project;
    const place = project?.project.fullPath.split('/').slice(0, -1).join('/');
    // A path alone names a project beside this one; digits would be an id.
    if (!path.includes('/')) return place ? authorizer.project(`${place}/${path}`, principal) : undefined;
    return authorizer.project(path, principal);
  }

  const pageOf = ({ project }: ProjectGrant, page: string) => `${externalUrl}/${project.fullPath}/-/${page}`;

  const link = (kind: string, href: string, title: string, more: ReferenceLink['attributes']) => ({
    ...{ href, title },
    attributes: { 'data-reference-type': kind, ...more, class: `gfm gfm-${kind}` },
  });

  const kinds: Record<
    Exclude<Reference['kind'], 'user'>,
    (name: string, grant: ProjectGrant, reader: Reader) => Promise<ReferenceLink | undefined>
  > = {
    async external_issue(name, { project }) {
      const issue = await externalIssueOf(project.id, name);
      if (!issue) return undefined;
      const ids = { 'data-project': project.id, 'data-external-issue': name };
      return link('external_issue', issue.url, issue.title, ids);
    },

    async issue(name, grant, { principal }) {
      // Where a project has no issues of its own, numbers are those of its tracker.
      if ((grant.project.features as Record<string, string>).issues === 'disabled')
        return kinds.external_issue(name, grant, { principal, project: grant });
      const issue = grant.can('issues')
        ? await readableIssue(readStore, grant, principal, Number(name))
        : undefined;
      if (!issue) return undefined;
      const ids = { 'data-project': issue.projectId, 'data-issue': issue.id, 'data-iid': issue.iid };
      const found = link('issue', pageOf(grant, `issues/${issue.iid}`), issue.title, ids);
      return issue.state === 'closed' ? { ...found, suffix: ' (closed)' } : found;
    },

    async merge_request(name, grant) {
      const row = grant.can('merge_requests')
        ? await mergeRequestOf(readStore, grant, Number(name))
        : undefined;
      if (!row) return undefined;
      const ids = { 'data-project': row.projectId, 'data-merge-request': row.id, 'data-iid': row.iid };
      const found = link('merge_request', pageOf(grant, `merge_requests/${row.iid}`), row.title, ids);
      return row.state === 'opened' ? found : { ...found, suffix: ` (${row.state})` };
    },

    async label(name, grant) {
      if (!isPlanned(grant)) return undefined;
      const row = await labelNamed(name, grant.project.id);
      if (!row || (row.confidential && grant.level < AccessLevel.reporter)) return undefined;
      const href = pageOf(grant, `issues?label_name=${encodeURIComponent(row.title)}`);
      return link('label', href, row.description ?? '', {
        'data-project': grant.project.id,
        'data-label': row.id,
      });
    },

    async milestone(name, grant) {
      if (!isPlanned(grant)) return undefined;
      const place = { projectId: grant.project.id, groupId: null };
      const among = await milestonesFor(directory, place);
      const titled = await readStore.find(milestones, { where: and(eq('title', name), among), limit: 1 });
      const numbered = and(eq('projectId', grant.project.id), eq('iid', Number(name)));
      const rows =
        titled.length > 0 || !NUMBER.test(name)
          ? titled
          : await readStore.find(milestones, { where: numbered, limit: 1 });
      const [shown] = await shownMilestones(directory, rows);
      if (!shown) return undefined;
      const ids = { 'data-project': grant.project.id, 'data-milestone': shown.id };
      return link('milestone', `${externalUrl}/${shown.page}`, shown.title, ids);
    },

    async commit(name, grant, { principal }) {
      if (!grant.can('repository')) return undefined;
      const projectId = grant.project.id;
      let sha: string | null = name;
      if (!FULL_ID.test(name))
        ({ sha } = await operations.call(findCommit, { projectId, name, withBranch: false }, { principal }));
      // A branch may have a name like the id of a commit.
      if (!sha?.startsWith(name)) return undefined;
      const { commits } = await operations.call(describeCommits, { projectId, shas: [sha] }, { principal });
      const title = commits[0]?.title;
      if (title === undefined) return undefined;
      const ids = { 'data-project': projectId, 'data-commit': sha };
      return link('commit', pageOf(grant, `commit/${sha}`), title, ids);
    },
  };

  const isPlanned = ({ can }: ProjectGrant) => can('issues') || can('merge_requests');

  async function labelNamed(name: string, projectId: number): Promise<LabelRow | undefined> {
    const among = await labelsFor(directory, { projectId, groupId: null });
    if (!NUMBER.test(name)) return labelTitled(readStore, among, name);
    return requireLabel(readStore, among, name).catch(() => undefined);
  }

  async function userOrGroup(
    name: string,
    { principal, project }: Reader,
  ): Promise<ReferenceLink | undefined> {
    const user = name.includes('/') ? undefined : await directory.userByName(name);
    if (user?.state === 'active')
      return link('project_member', `${externalUrl}/${user.username}`, user.name, { 'data-user': user.id });
    if (name === 'all' && project) {
      const { id, fullPath, name: title } = project.project;
      return link('project_member', `${externalUrl}/${fullPath}`, title, { 'data-project': id });
    }
    // A path in the form of a number would be taken for an id.
    const grant = NUMBER.test(name) ? undefined : await authorizer.group(name, principal);
    if (!grant) return undefined;
    const { id, fullPath, name: title } = grant.group;
    return link('project_member', `${externalUrl}/groups/${fullPath}`, title, { 'data-group': id });
  }

  return async (references: readonly Reference[], reader: Reader): Promise<Map<string, ReferenceLink>> => {
    const links = new Map<string, ReferenceLink>();
    let commits = 0;
    for (const { kind, project, name, key } of references) {
      if (kind === 'commit' && ++commits > MOST_COMMITS) continue;
      const grant = kind === 'user' ? undefined : await grantOf(project, reader);
      const found =
        kind === 'user' ? await userOrGroup(name, reader) : grant && (await kinds[kind](name, grant, reader));
      if (found) links.set(key, found);
    }
    return links;
  };
}
