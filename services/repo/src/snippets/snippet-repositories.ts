import { setTimeout as sleep } from 'node:timers/promises';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { SNIPPET_BRANCH } from '@forgelog/contracts/repo/snippets/snippet.api.ts';
import type { SnippetEvent } from '@forgelog/contracts/repo/snippets/snippet.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { KeyedQueue } from '@forgelog/eventing/keyed-queue.ts';
import { GitBusyError, GitError, RefMovedError } from '@forgelog/git/errors.ts';
import type { Git, Repository } from '@forgelog/git/git.ts';
import { EMPTY_TREE, ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import { snippetDecider, snippetStream } from './snippet.decider.ts';
import { filesAfter, type SnippetFiles } from './snippet-files.rules.ts';

/*
 * A repository of a snippet is made from its events when git asks for it: a commit for each event that changes files. The
 * same events make the same commits wherever and whenever that happens.
 */

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
/** A ref below it names the last event that the repository has, by revision and id. Clients do not see it. */
const MARKS = 'refs/internal/events/';

/** Folders of one owner, below that of repositories: they end together. */
export const ownersFolder = ({ projectId, authorId }: Pick<SnippetOwner, 'projectId' | 'authorId'>): string =>
  `@snippets/${projectId === null ? `user-${authorId}` : `project-${projectId}`}`;

export const repositoryOf = (snippet: SnippetOwner): string => `${ownersFolder(snippet)}/${snippet.id}.git`;

class OtherLogError extends Error {}

const markOf = ({ revision, id }: Pick<RecordedEvent, 'revision' | 'id'>): string =>
  `${MARKS}${revision}-${id}`;

const TRIES = 5;
const PAUSE_MS = 100;

export function createSnippetRepositories({
  git,
  commands,
  history,
}: Pick<ServicePorts, 'commands' | 'history'> & { git: Git }): SnippetRepositories {
  const turns = new KeyedQueue();

  async function filesAt(id: number, at: number): Promise<SnippetFiles> {
    if (at < 0) return new Map();
    const { state } = await commands.load(snippetDecider, snippetStream(id), { at });
    return state.status === 'present' ? state.files : new Map();
  }

  /** A commit for each event after the mark. A kill on the way costs nothing: the same ones are made again. */
  async function follow(repository: Repository, id: number): Promise<number> {
    const marks = await repository.listRefs(MARKS);
    const marked = Math.max(-1, ...marks.map(({ ref }) => Number.parseInt(ref.slice(MARKS.length), 10)));
    const present = await repository.readRef(SNIPPET_REF);
    let last = marked < 0 ? undefined : await history.at(snippetStream(id), marked);
    let head = marks.find(({ ref }) => last && ref === markOf(last))?.oid;
    // A restored log may not know the event: what was made from another log is no longer true.
    if (marked >= 0 && head === undefined) throw new OtherLogError();
    let files = await filesAt(id, marked);
    let revision = marked;
    for (;;) {
      const event = await history.at(snippetStream(id), revision + 1);
      if (!event) break;
      revision += 1;
      last = event;
      if (event.type === 'SnippetDeleted') {
        await repository.remove();
        throw new Rejection('not_found', { what: 'Snippet' });
      }
      const next = filesOf(event as RecordedEvent<SnippetEvent['type'], SnippetEvent['data']>, files);
      if (!next) continue;
      files = next.files;
      const contents = new Map([...files].map(([path, text]) => [path, Buffer.from(text)]));
      head = next.pushed
        ? await repository.restoreCommit(Buffer.from(next.pushed), contents)
        : await repository
            .buildCommit({
              ...{ parents: head ? [head] : [], baseTree: EMPTY_TREE, message: next.message },
              author: { ...next.author, date: new Date(event.time) },
              actions: [...contents].map(([path, content]) => ({ action: 'create', path, content })),
            })
            .then(({ oid }) => oid);
    }
    if (!last || head === undefined || (revision === marked && present === head)) return revision;
    const updates: RefUpdate[] = [];
    if (present !== head) updates.push({ ref: SNIPPET_REF, oldOid: present ?? ZERO_OID, newOid: head });
    if (revision !== marked) {
      updates.push({ ref: markOf(last), oldOid: ZERO_OID, newOid: head });
      for (const { ref, oid } of marks) updates.push({ ref, oldOid: oid, newOid: ZERO_OID });
    }
    await repository.updateRefs(updates);
    return revision;
  }

  async function upToDate(snippet: SnippetOwner) {
    const repository = git.repository(repositoryOf(snippet));
    for (let tried = 1; ; tried += 1) {
      try {
        if (!(await repository.exists())) await repository.init(SNIPPET_BRANCH);
        return { repository, revision: await follow(repository, snippet.id) };
      } catch (error) {
        // A push moves the same branch at this moment, or another process makes the repository.
        const passes = [RefMovedError, GitBusyError, OtherLogError].some((one) => error instanceof one);
        const isMade = error instanceof GitError && error.code === 'repository_exists';
        if (!(passes || isMade) || tried === TRIES) throw error;
        if (error instanceof OtherLogError) await repository.remove();
        else await sleep(PAUSE_MS * tried);
      }
    }
  }

  return { upToDate: (snippet) => turns.run(String(snippet.id), () => upToDate(snippet)) };
}

interface Change {
  files: SnippetFiles;
  /** The commit as it was pushed. */
  pushed: string | null;
  author: { name: string; email: string };
  message: string;
}

/** The files after an event; undefined where it changes none. */
function filesOf(
  { type, data, metadata }: RecordedEvent<SnippetEvent['type'], SnippetEvent['data']>,
  files: SnippetFiles,
): Change | undefined {
  if (!('files' in data)) return undefined;
  const userId = metadata.actorId ?? data.authorId;
  // Events of version 0.1.0 do not say how their author was called.
  const author = data.author ?? { name: `User ${userId}`, email: `user-${userId}@users.noreply.invalid` };
  if (type === 'SnippetCreated' && 'title' in data) {
    const first = new Map(data.files.map(({ path, content }) => [path, content]));
    return { files: first, pushed: null, author, message: 'Create snippet\n' };
  }
  if (!('pushed' in data)) return undefined;
  return { files: filesAfter(files, data.files), pushed: data.pushed, author, message: 'Update snippet\n' };
}
