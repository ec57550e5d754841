import type { Dialect } from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';
import type { ChatMessage, Word } from './chat-message.ts';

/* Each chat takes JSON of a form of its own, and writes links in its own way. Texts of people must stay texts there. */

/** What a chat that lets the message choose is told besides. */
export interface Speaking {
  username: string | undefined;
  channel: string | undefined;
}

interface Writing {
  text(text: string): string;
  link(text: string, url: string): string;
}

const SLACK: Writing = {
  // Mentions of everybody are written in angle brackets.
  text: (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  link: (text, url) => `<${safeUrl(url)}|${SLACK.text(text).replaceAll('|', '¦')}>`,
};

/** It knows no entities, so what would be a mention or a link is written with another character. */
const GOOGLE: Writing = {
  text: (text) => text.replaceAll('<', '‹').replaceAll('>', '›'),
  link: (text, url) => `<${safeUrl(url)}|${GOOGLE.text(text).replaceAll('|', '¦')}>`,
};

const MARKDOWN: Writing = {
  text: (text) => text.replace(/[\\`*_{}[\]()<>#|~]/g, '\\$&'),
  link: (text, url) => `[${MARKDOWN.text(text)}](${safeUrl(url)})`,
};

/** What would end a link early. */
const safeUrl = (url: string): string =>
  url.replace(
    /[\s<>|()[\]]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

const written = (words: readonly Word[], { text, link }: Writing): string =>
  words.map((word) => (typeof word === 'string' ? text(word) : link(word.text, word.url))).join('');

const plain = (words: readonly Word[]): string =>
  words.map((word) => (typeof word === 'string' ? word : word.text)).join('');

const COLOURS = { neutral: 0x334455, good: 0x36a64f, bad: 0xd00000 } as const;
const hex = (colour: number): string => colour.toString(16).padStart(6, '0');

const BODIES: Readonly<Record<Dialect, (message: ChatMessage, speaking: Speaking) => object>> = {
  slack({ summary, details, tone }, { username, channel }) {
    const color = `#${hex(COLOURS[tone])}`;
    const about = { color, fallback: plain(details), text: written(details, SLACK), mrkdwn_in: ['text'] };
    const said = { color, fallback: plain(summary), text: written(summary, SLACK), mrkdwn_in: ['text'] };
    const speaking = { ...(username && { username }), ...(channel && { channel }) };
    // A tone colours what is said, which stands in the attachment then.
    if (tone !== 'neutral') return { ...speaking, attachments: [said] };
    return { ...speaking, text: said.text, ...(details.length > 0 && { attachments: [about] }) };
  },

  teams: ({ summary, details, tone, user, projectName }) => ({
    '@type': 'MessageCard',
    '@context': 'https://schema.org/extensions',
    summary: plain(summary),
    themeColor: hex(COLOURS[tone]),
    title: projectName,
    sections: [
      {
        activityTitle: written(summary, MARKDOWN),
        activitySubtitle: user.name,
        // Lines are paragraphs there.
        ...(details.length > 0 && { activityText: written(details, MARKDOWN).replaceAll('\n', '\n\n') }),
        ...(user.avatarUrl && { activityImage: user.avatarUrl }),
        markdown: true,
      },
    ],
  }),

  discord: ({ summary, details, tone, user }) => ({
    embeds: [
      {
        color: COLOURS[tone],
        author: { name: user.name.slice(0, 256), ...(user.avatarUrl && { icon_url: user.avatarUrl }) },
        description: [summary, details]
          .filter((words) => words.length > 0)
          .map((words) => written(words, MARKDOWN))
          .join('\n\n')
          .slice(0, 4096)
          .toWellFormed(),
      },
    ],
    allowed_mentions: { parse: [] },
  }),

  google: ({ summary, details }) => ({ text: both(summary, details, GOOGLE) }),
  webex: ({ summary, details }) => ({ markdown: both(summary, details, MARKDOWN) }),
  circuit: ({ summary, details, projectName }) => ({
    subject: projectName,
    text: both(summary, details, MARKDOWN),
    markdown: true,
  }),
};

function both(summary: readonly Word[], details: readonly Word[], writing: Writing): string {
  const about = details.length > 0 ? `\n${written(details, writing)}` : '';
  return `${written(summary, writing)}${about}`;
}

/** The body of a request to the chat. */
export const chatBody = (dialect: Dialect, message: ChatMessage, speaking: Speaking): Buffer =>
  Buffer.from(JSON.stringify(BODIES[dialect](message, speaking)));

const FAILED_ON = /returned HTTP error (\d{3})/;

/** Teams answers with success and says in the text that it failed. */
export function statusOf(dialect: Dialect, status: number, body: Buffer): number {
  const told = dialect === 'teams' && status < 300 ? FAILED_ON.exec(body.toString())?.[1] : undefined;
  return told === undefined ? status : Number(told);
}
