import { type DocumentOf, defineCollection } from '@forgelog/eventing/read-store.ts';

/** To-do items. What an answer shows of the target is read from the target. */
export const todos = defineCollection({
  name: 'todos',
  key: 'id',
  fields: {
    id: 'integer',
    userId: 'integer',
    authorId: 'integer',
    projectId: 'integer',
    action: 'text',
    state: 'text',
    targetType: 'text',
    targetId: 'integer',
    targetIid: 'integer',
    /** Whether the target is confidential, and who may read it all the same. */
    confidential: 'boolean',
    readerIds: 'integer[]',
    createdAt: 'text',
    /** Ready JSON without project, target and state. */
    body: 'text',
  },
  indexes: [['userId', 'state'], ['targetType', 'targetId'], ['projectId']],
});

export type TodoDocument = DocumentOf<typeof todos>;
