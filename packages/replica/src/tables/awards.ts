import { defineRecords, type Part, reference, text, whole } from '../table.ts';

export const awards: Part = {
  events: { EmojiAwarded: 1, EmojiWithdrawn: 1 },
  records: [
    defineRecords({
      kind: 'Award',
      name: 'awards',
      about: 'Reactions to issues, merge requests and notes.',
      key: ['award_id'],
      columns: {
        award_id: whole('awardId', 'Id of the reaction.'),
        project_id: reference('projectId', 'Id of the project.'),
        target_type: text('targetType', 'Kind of what it is on, or of what its note is on.'),
        target_id: reference('targetId', 'Id of what it is on.'),
        target_iid: whole('targetIid', 'Number of what it is on, in the project.'),
        note_id: whole('noteId', 'Id of the note that it is on; null where it is on the target itself.'),
        user_id: reference('userId', 'Id of the user.'),
        name: text('emoji', 'Name of the emoji, without colons.'),
      },
      compare: {
        select: 'SELECT *, began_at AS created_at FROM awards WHERE ended_at IS NULL AND note_id IS NULL',
        key: ['award_id'],
        async *served(api) {
          for await (const project of api.list('/projects?order_by=id&simple=true'))
            for await (const { iid } of api.list(`/projects/${project.id}/issues?scope=all`)) {
              const path = `/projects/${project.id}/issues/${iid}/award_emoji`;
              for await (const award of api.list(path))
                yield {
                  ...{ award_id: award.id, name: award.name, created_at: award.created_at },
                  ...{ project_id: project.id, target_type: award.awardable_type, note_id: null },
                  ...{ target_id: award.awardable_id, target_iid: iid, user_id: award.user?.id },
                };
            }
        },
      },
    }),
  ],
};
