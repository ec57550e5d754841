import { setTimeout as sleep } from 'node:timers/promises';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { KeyedQueue } from '@forgelog/eventing/keyed-queue.ts';
import { GitBusyError, GitError, RefMovedError } from '@forgelog/git/errors.ts';
import type { Git, Repository } from '@forgelog/git/git.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';

/*
 * A repository that is made from the events of one stream when git asks for it. The same events make the same commits
 * wherever and whenever that happens (ADR 132).
 */

/** Where a repository lies below the folder of repositories, and whose events it is made of. */
export interface MadeFrom {
  path: string;
  stream: string;
}

/** The last event of those that belong together, and the commit that they make. */
export interface Made {
  last: RecordedEvent;
  /** undefined where they change no file. */
  commit?: string | undefined;
}

export interface CommitMaker {
  /** Makes a commit of an event and of those that belong to it, on top of `head`. `next` reads the event after. */
  make(event: RecordedEvent, next: () => Promise<RecordedEvent>, head: string | undefined): Promise<Made>;
}

export interface MadeRepositories {
  /** Brings the repository to the end of its stream, and gives the last revision; -1 before the first event. */
  upToDate(made: MadeFrom): Promise<{ repository: Repository; revision: number }>;
}

/** A ref below it names the last event that the repository has, by revision and id. Clients do not see it. */
const MARKS = 'refs/internal/events/';

class OtherLogError extends Error {}

const markOf = ({ revision, id }: Pick<RecordedEvent, 'revision' | 'id'>): string =>
  `${MARKS}${revision}-${id}`;

const TRIES = 5;
const PAUSE_MS = 100;
/** After so many commits the branch moves, so that a kill or a deadline loses no more. */
const STEP = 200;

export function createMadeRepositories(
  { git, history }: Pick<ServicePorts, 'history'> & { git: Git },
  branch: string,
  /** @param from the last revision that the repository has; -1 for none */
  makerFor: (repository: Repository, made: MadeFrom, from: number) => Promise<CommitMaker>,
): MadeRepositories {
  const turns = new KeyedQueue();
  const branchRef = `refs/heads/${branch}`;

  /** A commit for each event after the mark. A kill on the way costs nothing: the same ones are made again. */
  async function follow(repository: Repository, made: MadeFrom): Promise<number> {
    let marks = await repository.listRefs(MARKS);
    const marked = Math.max(-1, ...marks.map(({ ref }) => Number.parseInt(ref.slice(MARKS.length), 10)));
    let present = await repository.readRef(branchRef);
    let last = marked < 0 ? undefined : await history.at(made.stream, marked);
    let head = marks.find(({ ref }) => last && ref === markOf(last))?.oid;
    // A restored log may not know the event: what was made from another log is no longer true.
    if (marked >= 0 && head === undefined) throw new OtherLogError();

    let settled = marked;
    async function settle(revision: number) {
      if (!last || head === undefined || (revision === settled && present === head)) return;
      const updates: RefUpdate[] = [];
      if (present !== head) updates.push({ ref: branchRef, oldOid: present ?? ZERO_OID, newOid: head });
      if (revision !== settled) {
        updates.push({ ref: markOf(last), oldOid: ZERO_OID, newOid: head });
        for (const { ref, oid } of marks) updates.push({ ref, oldOid: oid, newOid: ZERO_OID });
        marks = [{ ref: markOf(last), oid: head }];
      }
      await repository.updateRefs(updates);
      present = head;
      settled = revision;
    }

    let revision = marked;
    let maker: CommitMaker | undefined;
    for (;;) {
      const event = await history.at(made.stream, revision + 1);
      if (!event) break;
      maker ??= await makerFor(repository, made, marked);
      let at = revision + 1;
      const next = async () => {
        at += 1;
        return (await history.at(made.stream, at))!;
      };
      const { last: end, commit } = await maker.make(event, next, head);
      revision = end.revision;
      last = end;
      head = commit ?? head;
      if (revision - settled >= STEP) await settle(revision);
    }
    await settle(revision);
    return revision;
  }

  async function upToDate(made: MadeFrom) {
    const repository = git.repository(made.path);
    for (let tried = 1; ; tried += 1) {
      try {
        if (!(await repository.exists())) await repository.init(branch);
        return { repository, revision: await follow(repository, made) };
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

  return { upToDate: (made) => turns.run(made.path, () => upToDate(made)) };
}

/** Stands in for the author of an event that does not say how they were called. */
export const unnamedAuthor = (userId: number | null) => ({
  name: `User ${userId ?? 0}`,
  email: `user-${userId ?? 0}@users.noreply.invalid`,
});
