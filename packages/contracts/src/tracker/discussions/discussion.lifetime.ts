import { GroupDeleted } from '../../admin/groups/group.events.ts';
import { begins, changedBy, defineLifetime, endsWith } from '../../lifetime.ts';
import { ProjectDeleted } from '../../repo/projects/project.events.ts';
import { SnippetDeleted } from '../../repo/snippets/snippet.events.ts';
import { EpicDeleted } from '../epics/epic.events.ts';
import { IssueDeleted } from '../issues/issue.events.ts';
import { MergeRequestDeleted } from '../merge-requests/merge-request.events.ts';
import {
  DiscussionResolved,
  DiscussionStarted,
  DiscussionUnresolved,
  NoteAdded,
  NoteDeleted,
  NoteEdited,
} from './discussion.events.ts';

const withItsTarget = [
  endsWith(IssueDeleted, { noteableId: 'issueId' }, { ofRecord: { noteableType: 'Issue' } }),
  endsWith(
    MergeRequestDeleted,
    { noteableId: 'mergeRequestId' },
    { ofRecord: { noteableType: 'MergeRequest' } },
  ),
  endsWith(SnippetDeleted, { noteableId: 'snippetId' }, { ofRecord: { noteableType: 'Snippet' } }),
  endsWith(EpicDeleted, { noteableId: 'epicId' }, { ofRecord: { noteableType: 'Epic' } }),
  endsWith(ProjectDeleted, ['projectId']),
  endsWith(GroupDeleted, ['groupId']),
];

export const discussionLifetime = defineLifetime({
  kind: 'Discussion',
  id: ['discussionId'],
  begins: [begins(DiscussionStarted)],
  changes: changedBy(DiscussionResolved, DiscussionUnresolved),
  ends: [endsWith(NoteDeleted, ['discussionId'], { ofEvent: { last: true } }), ...withItsTarget],
});

export const noteLifetime = defineLifetime({
  kind: 'Note',
  id: ['noteId'],
  begins: [begins(DiscussionStarted), begins(NoteAdded)],
  changes: changedBy(NoteEdited),
  ends: [endsWith(NoteDeleted, ['noteId']), ...withItsTarget],
});
