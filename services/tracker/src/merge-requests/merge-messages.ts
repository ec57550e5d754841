import type { CommitFacts } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import { listMergeCommits, MERGE_BOUNDS } from '@forgelog/contracts/repo/merges/merge.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { closedBy } from './closing-pattern.ts';
import type { MergeRequest } from './merge-requests.collection.ts';
import { mergeSettingsOf } from './merge-settings.projection.ts';
import { filledTemplate, type TemplateVariables } from './message-template.ts';

type Ports = Pick<ServicePorts, 'directory' | 'readStore' | 'operations' | 'host'>;

const MERGE_TEMPLATE = `' into '%{target_branch}'

%{title}

%{issues}

See merge request %{reference}`;
const SQUASH_TEMPLATE = '%{title}';

/** Pages of commits that are looked through for the first one. */
const MOST_PAGES = 10;
/** Longer messages are told by their title, in characters. */
const MOST_LISTED = 100_000;

/** The messages of a merge: the given ones, or else those of the project's templates. */
export async function mergeMessagesOf(
  ports: Ports,
  row: MergeRequest,
  merger: Principal,
  given: { mergeMessage: string | null; squashMessage: string | null },
): Promise<{ mergeMessage: string; squashMessage: string }> {
  const { projectId, sourceProjectId } = row;
  const settings = await mergeSettingsOf(ports.readStore, projectId);
  const variables = await variablesOf(ports, row, merger);
  const fork = sourceProjectId === projectId ? undefined : await ports.directory.project(sourceProjectId);
  const usual = `Merge branch '${fork ? `${fork.fullPath}:` : ''}%{source_branch}${MERGE_TEMPLATE}`;
  const filled = async (template: string | null, otherwise: string) =>
    (template && (await filledTemplate(template, variables))) || filledTemplate(otherwise, variables);
  return {
    mergeMessage: given.mergeMessage ?? (await filled(settings.mergeTemplate, usual)),
    squashMessage: given.squashMessage ?? (await filled(settings.squashTemplate, SQUASH_TEMPLATE)),
  };
}

/** Those of the family, as its documentation lists them. */
async function variablesOf(
  { directory, operations, host }: Ports,
  row: MergeRequest,
  merger: Principal,
): Promise<TemplateVariables> {
  const { projectId, iid, title, authorId, approvedByIds, reviewerIds, participantIds } = row;
  const path = (await directory.project(projectId))?.fullPath ?? '';
  const description = row.description ?? '';
  const closes = closedBy(description).map(({ project, iid }) => `${project ?? ''}#${iid}`);
  let commits: Promise<CommitFacts[]> | undefined;
  const ownCommits = async () => {
    commits ??= commitsOf(operations, row, merger);
    return (await commits).filter(({ parentIds }) => parentIds.length < 2);
  };
  const multiline = async () =>
    (await ownCommits()).findLast(({ message }) => message.trimEnd().includes('\n'))?.message.trimEnd();
  const people = async (ids: readonly number[], trailer: string) => {
    const users = await Promise.all(ids.map((id) => directory.user(id)));
    return users
      .flatMap((user) => (user?.email ? [`${trailer}${person(user.name, user.email)}`] : []))
      .join('\n');
  };
  return {
    source_branch: () => row.sourceBranch,
    target_branch: () => row.targetBranch,
    title: () => title,
    description: () => description,
    issues: () => (closes.length > 0 ? `Closes ${named(closes)}` : ''),
    reference: () => `${path}!${iid}`,
    local_reference: () => `!${iid}`,
    source_project_id: () => String(row.sourceProjectId),
    url: () => `${host}/${path}/-/merge_requests/${iid}`,
    first_commit: async () => (await ownCommits()).at(-1)?.message.trimEnd() ?? '',
    first_multiline_commit: async () => (await multiline()) ?? title,
    first_multiline_commit_description: async () => {
      const message = await multiline();
      return message === undefined ? description : message.slice(message.indexOf('\n')).trim();
    },
    all_commits: async () =>
      (await ownCommits()).slice(0, MERGE_BOUNDS.commits).reverse().map(listed).join('\n\n'),
    approved_by: () => people(approvedByIds, 'Approved-by: '),
    reviewed_by: () =>
      people(
        reviewerIds.filter((id) => approvedByIds.includes(id) || participantIds.includes(id)),
        'Reviewed-by: ',
      ),
    merge_request_author: () => people([authorId], ''),
    merged_by: () => person(merger.name, merger.email),
    co_authored_by: async () => {
      const author = await directory.user(authorId);
      const others = (await ownCommits()).slice(0, MERGE_BOUNDS.commits).map((commit) => commit.author);
      const byEmail = new Map(others.toReversed().map(({ name, email }) => [email, name]));
      return [...byEmail]
        .filter(([email]) => email !== author?.email)
        .map(([email, name]) => `Co-authored-by: ${person(name, email)}`)
        .join('\n');
    },
  };
}

const person = (name: string, email: string) => `${name} <${email}>`;

/** Newest first. */
async function commitsOf(
  operations: ServicePorts['operations'],
  { projectId, startSha, sha: headSha }: MergeRequest,
  principal: Principal,
): Promise<CommitFacts[]> {
  const commits: CommitFacts[] = [];
  const limit = MERGE_BOUNDS.commits;
  for (let page = 0; page < MOST_PAGES; page++) {
    const asked = { projectId, startSha, headSha, offset: page * limit, limit };
    const answer = await operations.call(listMergeCommits, asked, { principal });
    if ('refused' in answer) break;
    commits.push(...answer.commits);
    if (!answer.hasMore) break;
  }
  return commits;
}

/** `* Title` with the rest of the message below. */
function listed({ title, message }: CommitFacts): string {
  const text = message.length > MOST_LISTED ? title : message.trimEnd();
  return `* ${text}`;
}

/** `#1, #2, and #3` */
function named(names: readonly string[]): string {
  if (names.length < 3) return names.join(' and ');
  return `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`;
}
