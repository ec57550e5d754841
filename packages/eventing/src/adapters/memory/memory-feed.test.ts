import { describeFeed } from '../../testing/feed.contract.ts';
import { openMemoryFeed } from './memory-feed.ts';

describeFeed('memory', async () => {
  const feed = openMemoryFeed();
  return { feed, services: ['one', 'two'], received: async (count) => feed.messages.slice(0, count) };
});
