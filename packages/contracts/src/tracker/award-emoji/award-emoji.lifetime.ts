import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { NoteDeleted } from '../discussions/discussion.events.ts';
import { IssueDeleted } from '../issues/issue.events.ts';
import { MergeRequestDeleted } from '../merge-requests/merge-request.events.ts';
import { EmojiAwarded, EmojiWithdrawn } from './award-emoji.events.ts';

export const awardLifetime = defineLifetime({
  kind: 'Award',
  id: ['awardId'],
  begins: [begins(EmojiAwarded)],
  ends: [
    endsWith(EmojiWithdrawn, ['awardId']),
    endsWith(NoteDeleted, ['noteId']),
    endsWith(IssueDeleted, { targetId: 'issueId' }, { ofRecord: { targetType: 'Issue' } }),
    endsWith(
      MergeRequestDeleted,
      { targetId: 'mergeRequestId' },
      { ofRecord: { targetType: 'MergeRequest' } },
    ),
    endsWith(ProjectDeleted, ['projectId']),
  ],
});
