import { begins, defineLifetime, endsWith } from '../../lifetime.ts';
import { NoteDeleted } from '../discussions/discussion.events.ts';
import { endsWithTarget } from '../targets/target-ends.ts';
import { EmojiAwarded, EmojiWithdrawn } from './award-emoji.events.ts';

export const awardLifetime = defineLifetime({
  kind: 'Award',
  id: ['awardId'],
  begins: [begins(EmojiAwarded)],
  ends: [endsWith(EmojiWithdrawn, ['awardId']), endsWith(NoteDeleted, ['noteId']), ...endsWithTarget],
});
