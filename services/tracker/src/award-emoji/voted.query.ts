import type { AwardEmojiEvent } from '@forgelog/contracts/tracker/award-emoji/award-emoji.events.ts';
import type { TargetType } from '@forgelog/contracts/tracker/targets/target.ts';
import { and, type Condition, eq, not, oneOf } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { awards } from './awards.collection.ts';

/** What a target's row says of the thumbs on it. */
interface VotedRow {
  upvotes: number;
  downvotes: number;
}

/** The row of a target after a reaction; undefined where it changes nothing. */
export function withVote<Row extends VotedRow>(row: Row, { type, data }: AwardEmojiEvent): Row | undefined {
  if (data.noteId !== null) return undefined;
  const change = type === 'EmojiAwarded' ? 1 : -1;
  if (data.emoji === 'thumbsup') return { ...row, upvotes: row.upvotes + change };
  if (data.emoji === 'thumbsdown') return { ...row, downvotes: row.downvotes + change };
  return undefined;
}

/** Reactions of one user that a filter looks through. */
const MOST = 10_000;

/** Targets of a kind with this reaction of the caller: its name, `Any` or `None`. Their column `id` is asked. */
export async function reactedWith(
  readStore: ReadStore,
  type: TargetType,
  { name, userId }: { name: string; userId: number },
): Promise<Condition> {
  const word = name.toLowerCase();
  const isAnyName = word === 'any' || word === 'none';
  const found = await readStore.find(awards, {
    where: and(
      ...[eq('authorId', userId), eq('targetType', type), eq('noteId', null)],
      ...(isAnyName ? [] : [eq('name', name)]),
    ),
    limit: MOST,
    select: ['awardableId'],
  });
  const ids = oneOf('id', [...new Set(found.map(({ awardableId }) => awardableId!))]);
  return word === 'none' ? not(ids) : ids;
}
