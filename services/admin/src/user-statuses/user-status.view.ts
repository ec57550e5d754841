import { userStatusView } from '@forgelog/contracts/admin/user-statuses/user-status.api.ts';
import { lineToHtml } from '@forgelog/service-kit/markdown/markdown.ts';
import { implementView } from '@forgelog/service-kit/view.ts';
import { derived } from '@forgelog/service-kit/view-parts.ts';

/** What is said just now; nulls where nothing is. */
export interface ShownStatus {
  emoji: string | null;
  message: string | null;
  availability: string | null;
  endsAt: string | null;
}

export const userStatusJson = implementView(userStatusView).from<ShownStatus>({
  emoji: 'emoji',
  message: 'message',
  availability: derived(['availability'], (value: string | null) => value as 'not_set' | 'busy' | null),
  message_html: derived(['message'], (text: string | null) => (text === null ? null : lineToHtml(text))),
  clear_status_at: 'endsAt',
});
