import type { EventOf } from '@forgelog/contracts/event.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import type { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import {
  MergeRequestClosed,
  MergeRequestCreated,
  MergeRequestDeleted,
  MergeRequestMerged,
  MergeRequestReopened,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';
import { branchKey } from '../merge-requests/branch-tips.collection.ts';
import type { TargetRef } from '../targets/target-ref.ts';
import { saying, type ToldNote } from './told-note.ts';

/** The branches that merge requests merge, to note on each what is pushed to its own. */
export const mergeRequestSources = defineCollection({
  name: 'merge_request_sources',
  key: 'id',
  fields: { id: 'integer', projectId: 'integer', iid: 'integer', source: 'text', open: 'boolean' },
  indexes: [['source', 'open'], ['projectId']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});

export const sourceEvents = [
  ...[MergeRequestCreated, MergeRequestClosed, MergeRequestReopened, MergeRequestMerged],
  MergeRequestDeleted,
] as const;
type SourceEvent = EventOf<(typeof sourceEvents)[number]>;

export async function followSources(event: RecordedEvent, documents: ProjectionDocuments): Promise<void> {
  const { type, data } = event as RecordedEvent & SourceEvent;
  const { mergeRequestId: id, projectId, iid } = data;
  if (type === 'MergeRequestCreated') {
    const source = branchKey(data.sourceProjectId, data.sourceBranch);
    return documents.put(mergeRequestSources, { id, projectId, iid, source, open: true });
  }
  if (type === 'MergeRequestDeleted') return documents.delete(mergeRequestSources, id);
  const row = await documents.get(mergeRequestSources, id);
  if (row) documents.put(mergeRequestSources, { ...row, open: type === 'MergeRequestReopened' });
}

const BRANCHES = 'refs/heads/';

/** The open merge requests whose source branch a push moved, and what is noted on each. */
export async function pushedTo(
  data: EventOf<typeof RefUpdated>['data'],
  documents: ProjectionDocuments,
): Promise<{ target: TargetRef; note: ToldNote }[]> {
  const { ref, projectId, commitCount, commitCountIsLowerBound, commitTitle, newOid, via } = data;
  if (!ref.startsWith(BRANCHES) || via === 'fork' || commitCount === 0 || /^0+$/.test(newOid)) return [];
  const where = and(eq('source', branchKey(projectId, ref.slice(BRANCHES.length))), eq('open', true));
  const rows = await documents.findAll(mergeRequestSources, where);
  const count = `${commitCountIsLowerBound ? 'at least ' : ''}${commitCount}`;
  const newest = `\n\n* ${newOid.slice(0, 8)}${commitTitle === null ? '' : ` - ${commitTitle}`}`;
  const note = saying('one', `added ${count} ${commitCount === 1 ? 'commit' : 'commits'}${newest}`);
  return rows.map(({ id, projectId, iid }) => ({
    ...{ target: { type: 'MergeRequest', id, projectId, iid }, note },
  }));
}
