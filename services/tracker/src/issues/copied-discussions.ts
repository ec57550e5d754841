import { createHash } from 'node:crypto';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { ConflictError } from '@forgelog/eventing/command-handler.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { and, asc, eq } from '@forgelog/eventing/query.ts';
import { discussionDecider, discussionStream, MAX_NOTES } from '../discussions/discussion.decider.ts';
import { discussions, notes } from '../discussions/discussions.collection.ts';
import { targetKey } from '../targets/target-ref.ts';
import { withUploadsOf } from './moved-uploads.ts';

interface Place {
  projectId: number;
  issueId: number;
  iid: number;
}

const BATCH = 100;

/** Each is copied once, however often this is begun: the id of a copy is made of both ends. */
const idOfCopy = (issueId: number, discussionId: string): string =>
  createHash('sha1').update(`${issueId} ${discussionId}`).digest('hex');

/**
 * Copies what people said of an issue, with authors and times. What is there already is left, so that it goes on where
 * it was interrupted.
 * @param atMost discussions; the rest is left to whoever goes on
 */
export async function copyDiscussions(
  { commands, ids, readStore }: Pick<ServicePorts, 'commands' | 'ids' | 'readStore'>,
  { from, to }: { from: Place; to: Place },
  metadata: EventMetadata,
  { atMost = Number.MAX_SAFE_INTEGER, signal }: { atMost?: number; signal?: AbortSignal } = {},
): Promise<void> {
  const on = { type: 'Issue', projectId: to.projectId, id: to.issueId, iid: to.iid } as const;
  const where = and(eq('noteable', targetKey({ type: 'Issue', id: from.issueId })), eq('system', false));
  for (let offset = 0; offset < atMost; offset += BATCH) {
    const batch = await readStore.find(discussions, {
      ...{ where, sort: [asc('createdAt'), asc('firstNoteId')], offset },
      limit: Math.min(BATCH, atMost - offset),
    });
    for (const { id, individualNote } of batch) {
      if (signal?.aborted) return;
      await copyOne(id, individualNote);
    }
    if (batch.length < BATCH) return;
  }

  async function copyOne(id: string, isAlone: boolean): Promise<void> {
    const discussionId = idOfCopy(to.issueId, id);
    const stream = discussionStream(discussionId);
    if ((await commands.load(discussionDecider, stream)).revision !== null) return;
    const said = await readStore.find(notes, {
      where: and(eq('discussionId', id), eq('system', false)),
      sort: [asc('createdAt')],
      limit: MAX_NOTES,
    });
    if (said.length === 0) return;
    const noteIds = await ids.many('note', said.length);
    const copies = said.map(({ authorId, text, createdAt, confidential }, at) => ({
      ...{ noteId: noteIds[at]!, authorId, createdAt, confidential },
      body: withUploadsOf(from.projectId, text),
    }));
    const command = { discussionId, on, individualNote: isAlone && copies.length === 1, notes: copies };
    await commands
      .handle(discussionDecider, stream, { type: 'CopyDiscussion', ...command }, metadata, {
        mustBeNew: true,
      })
      .catch((error: unknown) => {
        // Somebody else goes on with the same copy.
        if (!(error instanceof ConflictError)) throw error;
      });
  }
}
