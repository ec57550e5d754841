import { awardView } from '@forgelog/contracts/tracker/award-emoji/award-emoji.api.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { user } from '@forgelog/service-kit/view-placeholders.ts';
import type { AwardRow } from './awards.collection.ts';

export const awardJson = implementView(awardView).from<AwardRow>({
  id: 'id',
  name: 'name',
  user: user('authorId'),
  created_at: 'createdAt',
  updated_at: 'createdAt',
  awardable_id: 'awardableId',
  awardable_type: 'awardableType',
});
