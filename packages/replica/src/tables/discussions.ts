import { defineRecords, flag, type Part, reference, text, timeOrSet, whole } from '../table.ts';

const noteable = {
  project_id: reference('projectId', 'Id of the project; null for an epic.'),
  group_id: reference('groupId', 'Id of the group of an epic; null for anything else.'),
  noteable_type: text('noteableType', 'Kind of what is discussed.'),
  noteable_id: reference('noteableId', 'Id of what is discussed.'),
  noteable_iid: whole('noteableIid', 'Number of what is discussed, in its project or group.'),
  noteable_sha: text('noteableSha', 'Id of the commit that is discussed; null for anything else.'),
};

export const discussions: Part = {
  events: {
    DiscussionStarted: 4,
    NoteAdded: 4,
    NoteEdited: 4,
    NoteDeleted: 4,
    DiscussionResolved: 3,
    DiscussionUnresolved: 3,
  },
  records: [
    defineRecords({
      kind: 'Discussion',
      name: 'discussions',
      about: 'Discussions of issues, merge requests, commits and epics; those of a single note among them.',
      key: ['discussion_id'],
      columns: { discussion_id: text('discussionId', 'Id of the discussion.'), ...noteable },
    }),
    defineRecords({
      kind: 'Note',
      name: 'notes',
      about: 'Notes of people. What the system notes on a change follows from the event of that change.',
      key: ['note_id'],
      columns: {
        note_id: whole('noteId', 'Id of the note.'),
        discussion_id: text('discussionId', 'Id of the discussion.'),
        ...noteable,
        author_id: whole('authorId', 'Id of the author.'),
        body: text('body', 'The text, in Markdown.'),
        confidential: flag('confidential', 'Whether only some may see it'),
        system: flag('system', 'Whether the system wrote it about a change'),
        created_at: timeOrSet('createdAt', 'When it was written, or the time that its author set.'),
      },
      compare: {
        select: 'SELECT * FROM notes WHERE ended_at IS NULL AND system = 0',
        key: ['note_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const { iid } of api.list(`/projects/${project.id}/issues?scope=all`)) {
              const path = `/projects/${project.id}/issues/${iid}/discussions`;
              for await (const discussion of api.list(path))
                for (const note of discussion.notes) {
                  if (note.system) continue;
                  const { id, body, confidential, system, created_at } = note;
                  const { noteable_type, noteable_id, noteable_iid } = note;
                  yield {
                    ...{ note_id: id, discussion_id: discussion.id, body, confidential, system, created_at },
                    ...{ noteable_type, noteable_id, noteable_iid, author_id: note.author?.id },
                  };
                }
            }
        },
      },
    }),
  ],
};
