export const MERGE_REQUEST_REFS = 'refs/merge-requests';
/** Hidden from every client (`hiddenRefs` of the engine). */
export const KEPT_HEADS = 'refs/keep-around/merge-requests';

/** Whether a ref follows the records of merge requests, and not the log of refs. */
export const followsRecords = (ref: string): boolean =>
  ref.startsWith(`${MERGE_REQUEST_REFS}/`) || ref.startsWith(`${KEPT_HEADS}/`);
