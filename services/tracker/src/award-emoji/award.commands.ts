import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import type { Target } from '../targets/target.ts';
import { awardDecider, awardStream } from './award.decider.ts';

const THUMBS = new Map([
  ['+1', 'thumbsup'],
  ['-1', 'thumbsdown'],
]);

/** The one name of an emoji. */
export const emojiNamed = (given: string): string => THUMBS.get(given) ?? given;

/** Awards an emoji to the target, or takes it back where the caller has awarded it. @returns true, as it changes something */
export async function toggleAward(
  { commands, ids }: Pick<ServicePorts, 'commands' | 'ids'>,
  on: Target,
  { caller: { userId }, metadata }: { caller: Principal; metadata: EventMetadata },
  given: string,
): Promise<true> {
  const name = emojiNamed(given);
  const stream = awardStream(on, userId);
  const { state } = await commands.load(awardDecider, stream);
  const awarded = [...state.values()].find(({ noteId, emoji }) => noteId === null && emoji === name);
  if (awarded) {
    const withdraw = { type: 'WithdrawEmoji', on, userId, awardId: awarded.awardId } as const;
    await commands.handle(awardDecider, stream, withdraw, metadata);
    return true;
  }
  const awardId = await ids.next('award');
  await commands.handle(
    awardDecider,
    stream,
    { type: 'AwardEmoji', on, userId, awardId, noteId: null, name },
    metadata,
  );
  return true;
}
