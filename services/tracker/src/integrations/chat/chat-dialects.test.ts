import { expect, test } from 'vitest';
import { chatBody, statusOf } from './chat-dialects.ts';
import type { ChatMessage } from './chat-message.ts';

const hostile = 'a <!channel> [x](javascript:1) *b* <users/all> @everyone | & c';
const url = 'https://forgelog.example/engines/-/issues/1?a=(b)|<c>';
const message: ChatMessage = {
  channel: 'issue_channel',
  summary: ['Ada opened issue ', { text: `#1 ${hostile}`, url }],
  details: [hostile],
  tone: 'neutral',
  user: { name: 'Ada', avatarUrl: null },
  projectName: 'engines',
};
const NOBODY = { username: undefined, channel: undefined };
const bodyOf = (
  dialect: Parameters<typeof chatBody>[0],
  more: Partial<ChatMessage> = {},
  speaking = NOBODY,
) => JSON.parse(chatBody(dialect, { ...message, ...more }, speaking as never).toString());
const SAFE = 'https://forgelog.example/engines/-/issues/1?a=%28b%29%7C%3Cc%3E';

test('Slack gets text with links and attachments, and no text of a person is a mention or a link', () => {
  const text = 'a &lt;!channel&gt; [x](javascript:1) *b* &lt;users/all&gt; @everyone | &amp; c';
  expect(bodyOf('slack')).toEqual({
    text: `Ada opened issue <${SAFE}|#1 ${text.replace('|', '¦')}>`,
    attachments: [{ color: '#334455', fallback: hostile, text, mrkdwn_in: ['text'] }],
  });
  expect(
    bodyOf('slack', { tone: 'bad', details: [] }, { username: 'Crank', channel: '#night' } as never),
  ).toEqual({
    ...{ username: 'Crank', channel: '#night' },
    attachments: [expect.objectContaining({ color: '#d00000', text: expect.stringContaining('Ada opened') })],
  });
});

test('Teams gets a card, Discord an embed that mentions nobody, others their text', () => {
  const card = bodyOf('teams');
  expect(card).toMatchObject({
    ...{ '@type': 'MessageCard', '@context': 'https://schema.org/extensions', title: 'engines' },
    sections: [{ activitySubtitle: 'Ada', markdown: true }],
  });
  const [section] = card.sections;
  expect(section.activityTitle).toContain(`(${SAFE})`);
  expect(section.activityText).toContain('\\[x\\]\\(javascript:1\\) \\*b\\*');
  const { embeds, allowed_mentions } = bodyOf('discord', { details: ['x'.repeat(9000)] });
  expect(allowed_mentions).toEqual({ parse: [] });
  expect(embeds).toEqual([{ color: 0x334455, author: { name: 'Ada' }, description: expect.any(String) }]);
  expect(embeds[0].description.length).toBeLessThanOrEqual(4096);
  expect(bodyOf('google').text).not.toMatch(/<users|<!channel/);
  expect(Object.keys(bodyOf('webex'))).toEqual(['markdown']);
  expect(bodyOf('circuit')).toMatchObject({ subject: 'engines', markdown: true });
});

test('Teams says in a success that it failed', () => {
  const failed = Buffer.from(
    'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429',
  );
  expect(statusOf('teams', 200, failed)).toBe(429);
  expect(statusOf('teams', 200, Buffer.from('1'))).toBe(200);
  expect(statusOf('slack', 200, failed)).toBe(200);
});
