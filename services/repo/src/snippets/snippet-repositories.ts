import { Rejection } from '@forgelog/contracts/errors.ts';
import { SNIPPET_BRANCH } from '@forgelog/contracts/repo/snippets/snippet.api.ts';
import type { SnippetEvent } from '@forgelog/contracts/repo/snippets/snippet.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { Git, Repository } from '@forgelog/git/git.ts';
import { EMPTY_TREE } from '@forgelog/git/objects/object-id.ts';
import { type CommitMaker, createMadeRepositories, unnamedAuthor } from '../shared/made-repositories.ts';
import { snippetDecider, snippetStream } from './snippet.decider.ts';
import { filesAfter, type SnippetFiles } from './snippet-files.rules.ts';

/** A snippet with its owner, in whose folder its repository lies. */
export interface SnippetOwner {
  id: number;
  projectId: number | null;
  authorId: number;
}

export interface SnippetRepositories {
  /** Brings the repository to the end of the snippet's events, and gives their last revision. */
  upToDate(snippet: SnippetOwner): Promise<{ repository: Repository; revision: number }>;
}

export const SNIPPET_REF = `refs/heads/${SNIPPET_BRANCH}`;

/** Folders of one owner, below that of repositories: they end together. */
export const ownersFolder = ({ projectId, authorId }: Pick<SnippetOwner, 'projectId' | 'authorId'>): string =>
  `@snippets/${projectId === null ? `user-${authorId}` : `project-${projectId}`}`;

export const repositoryOf = (snippet: SnippetOwner): string => `${ownersFolder(snippet)}/${snippet.id}.git`;

type RecordedSnippetEvent = RecordedEvent<SnippetEvent['type'], SnippetEvent['data']>;

/** A commit for each event that changes files. */
export function createSnippetRepositories(
  ports: Pick<ServicePorts, 'commands' | 'history'> & { git: Git },
): SnippetRepositories {
  const repositories = createMadeRepositories(ports, SNIPPET_BRANCH, async (repository, { stream }, from) => {
    const { state } =
      from < 0
        ? { state: snippetDecider.initialState }
        : await ports.commands.load(snippetDecider, stream, { at: from });
    return commitMaker(repository, state.status === 'present' ? state.files : new Map());
  });
  return {
    upToDate: (snippet) =>
      repositories.upToDate({ path: repositoryOf(snippet), stream: snippetStream(snippet.id) }),
  };
}

function commitMaker(repository: Repository, present: SnippetFiles): CommitMaker {
  let files = present;
  return {
    async make(last, _next, head) {
      if (last.type === 'SnippetDeleted') {
        await repository.remove();
        throw new Rejection('not_found', { what: 'Snippet' });
      }
      const change = changeOf(last as RecordedSnippetEvent, files);
      if (!change) return { last };
      files = change.files;
      const contents = new Map([...files].map(([path, text]) => [path, Buffer.from(text)]));
      if (change.pushed)
        return { last, commit: await repository.restoreCommit(Buffer.from(change.pushed), contents) };
      const { oid: commit } = await repository.buildCommit({
        ...{ parents: head ? [head] : [], baseTree: EMPTY_TREE, message: change.message },
        author: { ...change.author, date: new Date(last.time) },
        actions: [...contents].map(([path, content]) => ({ action: 'create', path, content })),
      });
      return { last, commit };
    },
  };
}

interface Change {
  files: SnippetFiles;
  /** The commit as it was pushed. */
  pushed: string | null;
  author: { name: string; email: string };
  message: string;
}

/** The files after an event; undefined where it changes none. */
function changeOf({ type, data, metadata }: RecordedSnippetEvent, files: SnippetFiles): Change | undefined {
  if (!('files' in data)) return undefined;
  // Events of version 0.1.0 do not say how their author was called.
  const author = data.author ?? unnamedAuthor(metadata.actorId ?? data.authorId);
  if (type === 'SnippetCreated' && 'title' in data) {
    const first = new Map(data.files.map(({ path, content }) => [path, content]));
    return { files: first, pushed: null, author, message: 'Create snippet\n' };
  }
  if (!('pushed' in data)) return undefined;
  return { files: filesAfter(files, data.files), pushed: data.pushed, author, message: 'Update snippet\n' };
}
