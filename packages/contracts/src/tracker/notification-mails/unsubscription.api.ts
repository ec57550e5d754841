import { anyone, defineEndpoint } from '../../endpoint.ts';
import { described, required, text } from '../../params.ts';

const common = {
  service: 'tracker',
  access: anyone,
  spec: 'companions 2.11',
  path: '/sent_notifications/:token/unsubscribe',
  params: {
    token: described(
      required(text({ max: 200 })),
      'What the mail names: it is signed, and says whose mail ends',
    ),
  },
  mediaTypes: ['text/html'],
} as const;

/** Programs that look at links in mails change nothing by it. */
export const askToUnsubscribe = defineEndpoint({
  ...common,
  id: 'sent-notification-ask',
  method: 'GET',
  summary: 'Page that asks whether mails about something shall end',
});

/** What programs for mail call at one click [RFC 8058]. */
export const unsubscribeByMail = defineEndpoint({
  ...common,
  id: 'sent-notification-unsubscribe',
  method: 'POST',
  summary: 'End the mails about something, without signing in',
});

export const unsubscriptionEndpoints = [askToUnsubscribe, unsubscribeByMail];
