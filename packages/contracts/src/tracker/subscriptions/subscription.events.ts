import { z } from 'zod';
import { defineEvent, type EventOf } from '../../event.ts';
import { changed } from '../../shared/changes.ts';
import { projectId } from '../../shared/event.fields.ts';
import { targetTypes } from '../targets/target.ts';
import examples from './subscription.events.examples.json' with { type: 'json' };

const subject = 'subscription-<userId>-<targetType>-<targetId>';
const subscribed = z.boolean().describe('Whether the user wants to be told.');
const names = {
  userId: z.int().describe('Id of the user who chose.'),
  projectId,
  targetType: z.enum(targetTypes).describe('Kind of the target.'),
  targetId: z.int().describe('Id of the target, unique on the instance.'),
  targetIid: z.int().describe('Number of the target, unique in the project.'),
};

export const SubscriptionChosen = defineEvent({
  type: 'SubscriptionChosen',
  version: 1,
  description: 'A user chose for the first time whether to be told of what happens to a target.',
  subject,
  example: examples.SubscriptionChosen,
  service: 'tracker',
  audit: 'own',
  activity: 'own',
  schema: z.object({ ...names, subscribed }),
});

export const SubscriptionChanged = defineEvent({
  type: 'SubscriptionChanged',
  version: 1,
  description: 'A user chose anew whether to be told of what happens to a target.',
  subject,
  example: examples.SubscriptionChanged,
  service: 'tracker',
  audit: 'own',
  activity: 'own',
  schema: z.object({ ...names, ...changed({ subscribed }) }),
});

export const subscriptionEvents = [SubscriptionChosen, SubscriptionChanged] as const;
export type SubscriptionEvent = EventOf<(typeof subscriptionEvents)[number]>;
