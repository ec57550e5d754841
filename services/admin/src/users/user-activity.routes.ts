import { listUserActivities } from '@forgelog/contracts/admin/users/user-activity.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { range } from '@forgelog/eventing/query.ts';
import { page as pageAnswer } from '@forgelog/service-kit/answer.ts';
import { type ArrayOrder, inOrder, pageOfArray } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { accessTokens } from '../access-tokens/access-tokens.projection.ts';

interface Activity {
  userId: number;
  username: string;
  at: string;
}

const MOST_TOKENS = 1_000_000;
const MONTHS = 6;

const ORDER: ArrayOrder<Activity> = [
  { of: ({ at }) => at, direction: 'asc' },
  { of: ({ userId }) => userId, direction: 'asc' },
];

/** What users do is known here by their tokens, which every call of the API is made with. */
export function userActivityRoutes({ clock, directory, readStore }: ServicePorts): Implementation[] {
  function usualStart(): string {
    const start = clock();
    start.setUTCMonth(start.getUTCMonth() - MONTHS);
    return start.toISOString().slice(0, 10);
  }

  return [
    implement(listUserActivities, async ({ params: { from = usualStart() }, page }) => {
      const used = await readStore.find(accessTokens, {
        where: range('lastUsedAt', { gte: `${from}T00:00:00.000Z` }),
        limit: MOST_TOKENS,
        select: ['userId', 'lastUsedAt'],
      });
      const last = new Map<number, string>();
      for (const { userId, lastUsedAt } of used)
        if (lastUsedAt! > (last.get(userId) ?? '')) last.set(userId, lastUsedAt!);
      const activities: Activity[] = [];
      for (const [userId, at] of last) {
        const user = await directory.user(userId);
        if (user && user.state !== 'deleted') activities.push({ userId, username: user.username, at });
      }
      const { items, next } = pageOfArray(inOrder(activities, ORDER), page, 'activities', ORDER);
      const shown = items.map(({ username, at }) =>
        JSON.stringify({ username, last_activity_on: at.slice(0, 10), last_activity_at: at }),
      );
      return pageAnswer(shown, next);
    }),
  ];
}
