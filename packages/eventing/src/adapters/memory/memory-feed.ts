import { type Feed, type FeedMessage, toMessage } from '../../feed.ts';

export function openMemoryFeed(): Feed & { messages: readonly FeedMessage[] } {
  const messages: FeedMessage[] = [];
  let closed = false;
  return {
    messages,
    async publish(events) {
      if (closed) throw new Error('the feed is closed');
      messages.push(...events.map(toMessage));
    },
    async close() {
      closed = true;
    },
  };
}
