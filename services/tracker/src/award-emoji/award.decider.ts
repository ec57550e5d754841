import { Rejection } from '@forgelog/contracts/errors.ts';
import type { AwardEmojiEvent } from '@forgelog/contracts/tracker/award-emoji/award-emoji.events.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import type { TargetRef } from '../targets/target-ref.ts';

/** What one user awarded on one target and the notes on it, by award id. */
export type AwardsState = ReadonlyMap<number, AwardEmojiEvent['data']>;

export type AwardCommand = { on: TargetRef; userId: number } & (
  | { type: 'AwardEmoji'; awardId: number; noteId: number | null; name: string }
  | { type: 'WithdrawEmoji'; awardId: number }
);

export const awardStream = ({ type, id }: Pick<TargetRef, 'type' | 'id'>, userId: number) =>
  `award-${type}-${id}-${userId}`;

/** A state holds so many. */
const MAX_AWARDS = 1_000;

export const awardDecider: Decider<AwardsState, AwardCommand, AwardEmojiEvent> = {
  initialState: new Map(),

  decide(command, awards) {
    if (command.type === 'WithdrawEmoji') {
      const award = awards.get(command.awardId);
      if (!award) throw new Rejection('record_not_found');
      return [{ type: 'EmojiWithdrawn', data: award }];
    }
    const { awardId, noteId, name, userId, on } = command;
    const isTaken = [...awards.values()].some((award) => award.noteId === noteId && award.emoji === name);
    // Clients know these texts, though they are no good English (companions 2.7).
    if (isTaken) throw new Rejection('not_found', { what: 'Award Emoji Name has already been taken' });
    if (awards.size >= MAX_AWARDS)
      throw new Rejection('not_found', { what: 'Award Emoji User has too many' });
    const { projectId, type: targetType, id: targetId, iid: targetIid } = on;
    const data = { awardId, projectId, targetType, targetId, targetIid, noteId, userId, emoji: name };
    return [{ type: 'EmojiAwarded', data }];
  },

  evolve(awards, { type, data }) {
    const next = new Map(awards);
    if (type === 'EmojiAwarded') next.set(data.awardId, data);
    else next.delete(data.awardId);
    return next;
  },
};
