import type { AwardEmojiEvent } from '@forgelog/contracts/tracker/award-emoji/award-emoji.events.ts';
import { given } from '@forgelog/testing/given-decider.ts';
import { test } from 'vitest';
import { type AwardCommand, awardDecider } from './award.decider.ts';

const on = { projectId: 7, type: 'Issue', id: 70, iid: 1 } as const;
const award = (awardId: number, name = 'thumbsup', noteId: number | null = null): AwardCommand => ({
  ...{ type: 'AwardEmoji', on, userId: 5, awardId, name, noteId },
});
const event = (
  type: AwardEmojiEvent['type'],
  awardId: number,
  name = 'thumbsup',
  noteId: number | null = null,
): AwardEmojiEvent => ({
  type,
  data: {
    ...{ projectId: 7, targetType: 'Issue', targetId: 70, targetIid: 1, userId: 5 },
    ...{ awardId, emoji: name, noteId },
  },
});
const withdraw = (awardId: number): AwardCommand => ({ type: 'WithdrawEmoji', on, userId: 5, awardId });

test('an emoji is awarded once to one thing', () => {
  given(awardDecider).when(award(1)).thenEvents(event('EmojiAwarded', 1));
  given(awardDecider, event('EmojiAwarded', 1)).when(award(2)).thenRejected('not_found');
  given(awardDecider, event('EmojiAwarded', 1))
    .when(award(2, 'tada'))
    .thenEvents(event('EmojiAwarded', 2, 'tada'));
  given(awardDecider, event('EmojiAwarded', 1))
    .when(award(2, 'thumbsup', 9))
    .thenEvents(event('EmojiAwarded', 2, 'thumbsup', 9));
});

test('what was taken back may be awarded again', () => {
  const back = [event('EmojiAwarded', 1), event('EmojiWithdrawn', 1)];
  given(awardDecider, event('EmojiAwarded', 1)).when(withdraw(1)).thenEvents(event('EmojiWithdrawn', 1));
  given(awardDecider, ...back)
    .when(withdraw(1))
    .thenRejected('record_not_found');
  given(awardDecider, ...back)
    .when(award(2))
    .thenEvents(event('EmojiAwarded', 2));
});

test('a user has at most 1,000 awards on one target and its notes', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => event('EmojiAwarded', index + 1, 'tada', index));
  given(awardDecider, ...many)
    .when(award(2_000))
    .thenRejected('not_found');
  given(awardDecider, ...many.slice(1))
    .when(award(2_000))
    .thenEvents(event('EmojiAwarded', 2_000));
});
