import { defineRecords, type Part, text, whole } from '../table.ts';

export const topics: Part = {
  events: { TopicCreated: 1, TopicUpdated: 1, TopicDeleted: 1 },
  records: [
    defineRecords({
      kind: 'Topic',
      name: 'topics',
      about: 'Words that projects carry, with what they mean.',
      key: ['topic_id'],
      columns: {
        topic_id: whole('topicId', 'Id of the topic.'),
        name: text('name', 'The word, unique without regard to case.'),
        title: text('title', 'How people read it.'),
        description: text('description', 'What it is about; null if not given.'),
      },
      compare: {
        select: 'SELECT * FROM topics WHERE ended_at IS NULL',
        key: ['topic_id'],
        async *served(api) {
          for await (const { id, name, title, description } of api.list('/topics'))
            yield { topic_id: id, name, title, description };
        },
      },
    }),
  ],
};
