import type { HookMessage } from '../web-hook-sender.ts';

/** For hooks of the instance alone, whose administrators see all that it holds. */
export const systemMessage = (body: object): HookMessage => ({
  trigger: 'system_events',
  projectId: null,
  branch: null,
  body: JSON.stringify(body),
});

/** What a message says of when a record began and changed, as far as its event knows. */
export const timesOf = ({ type, time }: { type: string; time: string }) => ({
  created_at: /Created$|Added$/.test(type) ? time : null,
  updated_at: time,
});
