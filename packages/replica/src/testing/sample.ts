import { type Contract, readContract } from '../contract.ts';
import type { Fields, PublishedEvent } from '../published-event.ts';
import { eventVersions } from '../tables.ts';

const begins = (kind: string, id: readonly string[], fixed: Fields = {}, fields: Fields = {}) => ({
  'x-begins': [{ kind, id, fields, fixed }],
});
const ends = (...rules: readonly [kind: string, match: Fields, ofRecord?: Fields][]) => ({
  'x-ends': rules.map(([kind, match, ofRecord = {}]) => ({ kind, match, ofRecord, ofEvent: {} })),
});
const changes = (kind: string, id: string) => ({ 'x-changes': [{ kind, id: [id] }] });
const defaults = { settings: { properties: { lfs_enabled: { default: true }, topics: { default: [] } } } };

/** A small part of what a server publishes. */
export const sampleContract: Contract = readContract({
  info: {},
  components: {
    messages: {
      GroupCreated: begins('Group', ['groupId']),
      GroupDeleted: ends(
        ['Group', { groupId: 'groupId' }],
        ['Group', { parentId: 'groupId' }],
        ['Project', { namespaceId: 'groupId' }],
        ['GroupMembership', { groupId: 'groupId' }],
      ),
      GroupMemberAdded: begins('GroupMembership', ['groupId', 'userId']),
      GroupMemberChanged: { 'x-changes': [{ kind: 'GroupMembership', id: ['groupId', 'userId'] }] },
      GroupMemberRemoved: ends(['GroupMembership', { groupId: 'groupId', userId: 'userId' }]),
      ProjectCreated: {
        ...begins('Project', ['projectId'], { archived: false }),
        payload: { properties: { data: { properties: defaults } } },
      },
      ProjectUpdated: changes('Project', 'projectId'),
      ProjectDeleted: ends(
        ['Project', { projectId: 'projectId' }],
        ['Issue', { projectId: 'projectId' }],
        ['Note', { projectId: 'projectId' }],
      ),
      IssueOpened: begins('Issue', ['issueId'], { state: 'opened' }),
      IssueClosed: changes('Issue', 'issueId'),
      IssueReopened: changes('Issue', 'issueId'),
      IssueDeleted: ends(
        ['Issue', { issueId: 'issueId' }],
        ['Note', { noteableId: 'issueId' }, { noteableType: 'Issue' }],
      ),
      DiscussionStarted: begins('Note', ['noteId']),
      NoteDeleted: ends(['Note', { noteId: 'noteId' }], ['Award', { noteId: 'noteId' }]),
      EmojiAwarded: begins('Award', ['awardId']),
    },
  },
});

let count = 0;

/** An event with a position after those before it, a minute later. */
export function sampleEvent(type: string, data: Fields, more: Partial<PublishedEvent> = {}): PublishedEvent {
  count += 1;
  return {
    id: `event-${count}`,
    type,
    subject: 'sample',
    time: new Date(Date.UTC(2026, 0, 1) + count * 60_000).toISOString(),
    position: `p${String(count).padStart(8, '0')}`,
    schemaversion: eventVersions[type] ?? 1,
    data,
    ...more,
  };
}
