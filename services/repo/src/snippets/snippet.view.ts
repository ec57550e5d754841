import { SNIPPET_BRANCH, snippetView, userAgentView } from '@forgelog/contracts/repo/snippets/snippet.api.ts';
import type { Directory } from '@forgelog/directory/directory.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived, host, hostname, text } from '@forgelog/service-kit/view-parts.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import type { SnippetRow } from './snippets.projection.ts';

/** A row with where it is. */
export interface ShownSnippet extends SnippetRow {
  /** Address of its page. */
  page: string;
  /** Path of its repository, below the host. */
  repository: string;
}

/** Rows with where they are. */
export function shownSnippets(
  directory: Pick<Directory, 'project' | 'externalUrl'>,
  rows: readonly SnippetRow[],
): Promise<ShownSnippet[]> {
  return Promise.all(
    rows.map(async (row) => {
      const { id, projectId } = row;
      const place = projectId === null ? '' : `${(await directory.project(projectId))?.fullPath ?? ''}/`;
      const page = `${directory.externalUrl}/${place}-/snippets/${id}`;
      return { ...row, page, repository: `${place}snippets/${id}.git` };
    }),
  );
}

export const snippetJson = implementView(snippetView).from<ShownSnippet>({
  id: 'id',
  title: 'title',
  description: 'description',
  visibility: derived(['visibility'], (level: string) => level as 'private' | 'internal' | 'public'),
  author: user('authorId'),
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  project_id: 'projectId',
  web_url: 'page',
  raw_url: text`${'page'}/raw`,
  ssh_url_to_repo: text`git@${hostname}:${'repository'}`,
  http_url_to_repo: text`${host}/${'repository'}`,
  file_name: derived(['paths'], ([first]: readonly string[]) => first!),
  files: derived(['page', 'paths'], (page: string, paths: readonly string[]) =>
    paths.map((path) => ({ path, raw_url: `${page}/raw/${SNIPPET_BRANCH}/${encoded(path)}` })),
  ),
});

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/');

export const userAgentJson = implementView(userAgentView).from<SnippetRow>({
  user_agent: derived(['userAgent'], (agent: string | null) => agent ?? ''),
  ip_address: derived(['clientAddress'], (address: string | null) => address ?? ''),
  // Nothing is sent to a service against spam.
  akismet_submitted: false,
});
