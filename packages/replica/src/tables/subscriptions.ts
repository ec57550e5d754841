import { defineRecords, flag, type Part, reference, text, whole } from '../table.ts';

export const subscriptions: Part = {
  events: { SubscriptionChosen: 1, SubscriptionChanged: 1 },
  records: [
    defineRecords({
      kind: 'Subscription',
      name: 'subscriptions',
      about: 'Who chose to be told of what happens to issues and merge requests, or not to be.',
      key: ['user_id', 'target_type', 'target_id'],
      columns: {
        user_id: whole('userId', 'Id of the user who chose.'),
        target_type: text('targetType', 'Kind of what it is about.'),
        target_id: whole('targetId', 'Id of what it is about.'),
        target_iid: whole('targetIid', 'Number of what it is about, in the project.'),
        project_id: reference('projectId', 'Id of the project.'),
        subscribed: flag('subscribed', 'Whether the user wants to be told.'),
      },
    }),
  ],
};
