interface Reviews {
  reviewerIds: readonly number[];
  /** When each of them was asked, in their order. */
  reviewersSince: readonly string[];
  /** Those of them who have commented or approved since. */
  reviewedByIds: readonly number[];
}

/** The reviewers after a change of who they are: one who is asked again begins anew. */
export const withReviewers = (before: Reviews, reviewerIds: readonly number[], time: string): Reviews => ({
  reviewerIds,
  reviewersSince: reviewerIds.map((id) => before.reviewersSince[before.reviewerIds.indexOf(id)] ?? time),
  reviewedByIds: before.reviewedByIds.filter((id) => reviewerIds.includes(id)),
});

/** The row after somebody has looked at it, which counts for a reviewer. */
export const withReview = <Row extends Reviews>(row: Row, userId: number): Row =>
  row.reviewerIds.includes(userId) && !row.reviewedByIds.includes(userId)
    ? { ...row, reviewedByIds: [...row.reviewedByIds, userId] }
    : row;

export const NO_REVIEWS: Reviews = { reviewerIds: [], reviewersSince: [], reviewedByIds: [] };
