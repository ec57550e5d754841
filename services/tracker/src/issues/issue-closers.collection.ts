import { ProjectDeleted } from '@forgelog/contracts/repo/projects/project.events.ts';
import { eq } from '@forgelog/eventing/query.ts';
import { defineCollection, endsWith } from '@forgelog/eventing/read-store.ts';

/** Which merge requests say that they close which issues: a document for each issue of each merge request. */
export const issueClosers = defineCollection({
  name: 'issue_closers',
  key: 'key',
  fields: {
    /** Merge request and issue. */
    key: 'text',
    /** `issueKey` of the issue, as the merge request names it. */
    issue: 'text',
    /** `placeOf` the merge request. */
    place: 'integer',
    /** The project that it merges into. */
    projectId: 'integer',
  },
  indexes: [['issue'], ['place'], ['projectId']],
  ownedBy: [endsWith(ProjectDeleted, ({ projectId }) => eq('projectId', projectId))],
});
