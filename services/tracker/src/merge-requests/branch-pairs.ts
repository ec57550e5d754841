import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import { KeyedQueue } from '@forgelog/eventing/keyed-queue.ts';
import { placeOf } from '@forgelog/service-kit/project-place.ts';
import { branchKey } from './branch-tips.collection.ts';
import { mergeRequestDecider, mergeRequestStream } from './merge-request.decider.ts';
import { isOpenFor, type MergeRequest, mergeRequests } from './merge-requests.collection.ts';

export type Branches = Pick<MergeRequest, 'projectId' | 'sourceProjectId' | 'sourceBranch' | 'targetBranch'>;

interface Opening {
  /**
   * Opens it. @returns its number
   * @param numberIsTaken looks at what took a number that was to be new, and throws
   */
  open(numberIsTaken: (iid: number, error: unknown) => Promise<never>): Promise<number>;
  /** Undoes `open`. */
  giveUp(iid: number): Promise<unknown>;
}

/** Lets one merge request of two branches be open, however many processes open them (ADR 57). */
export function branchPairs({ commands, readStore }: Pick<ServicePorts, 'commands' | 'readStore'>) {
  const inThisProcess = new KeyedQueue();

  async function requireNone(source: string, target: string): Promise<void> {
    const where = isOpenFor(source, target);
    const [other] = await readStore.find(mergeRequests, { where, limit: 1, select: ['iid'] });
    if (other) throw alreadyOpen(other.iid!);
  }

  /** Another process has taken the number: maybe for the same branches. */
  async function requireOther(branches: Branches, iid: number): Promise<void> {
    const stream = mergeRequestStream(branches.projectId, iid);
    const { state } = await commands.load(mergeRequestDecider, stream);
    if (state.status !== 'opened' && state.status !== 'locked') return;
    if (
      state.sourceProjectId === branches.sourceProjectId &&
      state.sourceBranch === branches.sourceBranch &&
      state.targetBranch === branches.targetBranch
    )
      throw alreadyOpen(iid);
  }

  return {
    /** @throws 409 where another one is open */
    open(branches: Branches, { open, giveUp }: Opening): Promise<number> {
      const { projectId, sourceProjectId, sourceBranch, targetBranch } = branches;
      const source = branchKey(sourceProjectId, sourceBranch);
      const target = branchKey(projectId, targetBranch);
      return inThisProcess.run(`${source} ${target}`, async () => {
        await requireNone(source, target);
        const iid = await open(async (taken, error) => {
          if (error instanceof ConflictError) await requireOther(branches, taken);
          throw error;
        });
        // By now the read model has the opening, and what another process opened before it.
        const opened = await readStore.get(mergeRequests, placeOf(projectId, iid)!);
        if (!opened?.rivalIid) return iid;
        await giveUp(iid);
        throw alreadyOpen(opened.rivalIid);
      });
    },
  };
}

const alreadyOpen = (iid: number) =>
  new Rejection('conflict', {
    message: [`Another open merge request already exists for this source branch: !${iid}`],
  });
