import type { EventOf } from '@forgelog/contracts/event.ts';
import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { RefUpdated } from '@forgelog/contracts/repo/repositories/repository.events.ts';
import {
  MergeRequestClosed,
  MergeRequestCreated,
  MergeRequestDeleted,
  MergeRequestMerged,
  MergeRequestReopened,
} from '@forgelog/contracts/tracker/merge-requests/merge-request.events.ts';
import { defineProjection } from '@forgelog/eventing/define-projection.ts';
import type { Projection, ProjectionDocuments } from '@forgelog/eventing/projection.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { type DocumentOf, defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';
import { ZERO_OID } from '@forgelog/git/objects/object-id.ts';

export const headKey = ({ projectId, iid }: { projectId: number; iid: number }) => `${projectId} ${iid}`;
export const sourceOf = (projectId: number, ref: string) => `${projectId} ${ref}`;

/** What `refs/merge-requests/<iid>/head` of each project names. */
export const mergeRequestHeads = defineCollection({
  name: 'merge_request_heads',
  key: 'key',
  fields: {
    /** `<project id> <iid>` */
    key: 'text',
    projectId: 'integer',
    iid: 'integer',
    sourceProjectId: 'integer',
    /** Full name of the source branch. */
    sourceRef: 'text',
    /** `sourceOf` both. */
    source: 'text',
    isOpen: 'boolean',
    /** The newest commit of the source branch while it was open. */
    sha: 'text',
  },
  indexes: [['projectId', 'isOpen'], ['source']],
  ownedBy: [
    endsWith(MergeRequestDeleted, (ended) => eq('key', headKey(ended))),
    endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId)),
  ],
});

export type MergeRequestHead = DocumentOf<typeof mergeRequestHeads>;

type Handled = EventOf<
  | typeof MergeRequestCreated
  | typeof MergeRequestClosed
  | typeof MergeRequestMerged
  | typeof MergeRequestReopened
  | typeof RefUpdated
>;

export const openFrom = (projectId: number, ref: string) =>
  and(eq('source', sourceOf(projectId, ref)), eq('isOpen', true));

/** @param applied is called when any of it may have changed */
export function mergeRequestHeadsProjection(applied: () => void): Projection {
  return defineProjection<Handled>({
    name: 'merge-request-heads',
    collections: [mergeRequestHeads],
    handles: [
      MergeRequestCreated.type,
      MergeRequestClosed.type,
      MergeRequestMerged.type,
      MergeRequestReopened.type,
      RefUpdated.type,
    ],
    applied,
    async project(event, documents) {
      switch (event.type) {
        case 'MergeRequestCreated': {
          const { projectId, iid, sourceProjectId, sourceBranch, sourceSha: sha } = event.data;
          const sourceRef = `refs/heads/${sourceBranch}`;
          const source = sourceOf(sourceProjectId, sourceRef);
          const row = { key: headKey(event.data), projectId, iid, sourceProjectId, sourceRef, source };
          return documents.put(mergeRequestHeads, { ...row, isOpen: true, sha });
        }
        case 'MergeRequestClosed':
          return change(documents, event.data, { isOpen: false });
        case 'MergeRequestMerged':
          return change(documents, event.data, { isOpen: false, sha: event.data.sha });
        case 'MergeRequestReopened':
          return change(documents, event.data, { isOpen: true, sha: event.data.sourceSha });
        case 'RefUpdated': {
          const { projectId, ref, newOid, merge } = event.data;
          if (merge)
            await change(documents, { projectId, iid: merge.iid }, { isOpen: false, sha: merge.sha });
          if (newOid === ZERO_OID) return;
          for (const row of await documents.findAll(mergeRequestHeads, openFrom(projectId, ref)))
            documents.put(mergeRequestHeads, { ...row, sha: newOid });
          return;
        }
        default:
          event satisfies never;
      }
    },
  });
}

async function change(
  documents: ProjectionDocuments,
  of: { projectId: number; iid: number },
  changes: Partial<MergeRequestHead>,
): Promise<void> {
  const row = await documents.get(mergeRequestHeads, headKey(of));
  if (row) documents.put(mergeRequestHeads, { ...row, ...changes });
}
