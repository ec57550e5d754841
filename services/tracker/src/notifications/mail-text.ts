import { createAuthorizer } from '@forgelog/directory/authorizer.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { escapeHtml } from '@forgelog/service-kit/html.ts';
import { markdownToHtml } from '@forgelog/service-kit/markdown/markdown.ts';
import { referenceLinks } from '../markdown/reference-links.ts';
import type { News, Reason } from './news.ts';
import type { ReadableNews } from './readable-news.ts';
import { unsubscriptionTokens } from './unsubscription.ts';

/** A mail as it is handed to the server, the same at every attempt. */
export interface Mail {
  to: { name: string; address: string };
  fromName: string;
  subject: string;
  messageId: string;
  inReplyTo?: string;
  references?: string[];
  headers: Record<string, string>;
  text: string;
  html: string;
}

/** One thing that a mail tells. */
export interface Item {
  news: News;
  reason: Reason;
  eventId: string;
  readable: ReadableNews;
}

/** In characters. What is longer is cut, and read on the server. */
const MOST_TEXT = 20_000;
const MOST_WHOLE = 100_000;
const [MOST_SUBJECT, MOST_NAME] = [250, 100];
/** What ends a line, hides, or turns the direction of what is read. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

const LEVELS: Readonly<Record<number, string>> = {
  ...{ 5: 'with minimal access', 10: 'as a guest', 20: 'as a reporter', 30: 'as a developer' },
  ...{ 40: 'as a maintainer', 50: 'as an owner' },
};

const REASONS: Readonly<Record<Exclude<Reason, null>, string>> = {
  assigned: 'it is assigned to you',
  review_requested: 'you are asked to review it',
  mentioned: 'you were mentioned',
  author: 'you opened it',
  subscribed: 'you subscribed to it',
};

/** One line without what cannot be seen. */
export const lineOf = (text: string, most: number): string => {
  const line = text.replace(UNSEEN, ' ').replace(/ {2,}/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`;
};

/** Says what a mail is about to the programs that sort mails. */
export const placeHeaders = (
  domain: string,
  list: string,
  { path, ...project }: { path: string; id?: number; name?: string },
): Record<string, string> => ({
  'List-Id': `"${path}" <${list}.${path.toLowerCase().split('/').toReversed().join('.')}.${domain}>`,
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'All',
  ...(project.id !== undefined && {
    'X-GitLab-Project': lineOf(project.name ?? '', MOST_NAME),
    'X-GitLab-Project-Id': String(project.id),
    'X-GitLab-Project-Path': path,
  }),
});

export function mailTexts(ports: ServicePorts) {
  const { configuration, directory } = ports;
  const host = directory.externalUrl;
  const linksOf = referenceLinks(ports, createAuthorizer(directory));
  const tokens = unsubscriptionTokens(configuration);

  const nameOf = async (id: number | null): Promise<string> => {
    const user = id === null ? undefined : await directory.user(id);
    return lineOf(user?.name ?? 'The system', MOST_NAME) || 'Somebody';
  };

  function addressOf(
    { projectId, target, noteId, says }: News,
    { project, groupPath }: ReadableNews,
  ): string {
    if (projectId === null) return `${host}/groups/${groupPath}`;
    const web = `${host}/${project!.project.fullPath}`;
    if (target !== null) {
      const page = target.type === 'Issue' ? 'issues' : 'merge_requests';
      return `${web}/-/${page}/${target.iid}${noteId === null ? '' : `#note_${noteId}`}`;
    }
    if ('pipelineId' in says) return `${web}/-/pipelines/${says.pipelineId}`;
    return says.did === 'released' ? `${web}/-/releases/${encodeURIComponent(says.tag)}` : web;
  }

  function subjectOf({ target, says }: News, { project, row, groupName }: ReadableNews): string {
    const place = groupName ?? project!.project.name;
    if (target !== null)
      return `${place} | ${row!.title} (${target.type === 'Issue' ? '#' : '!'}${target.iid})`;
    if ('pipelineId' in says) return `${place} | Pipeline #${says.pipelineId} ${PIPELINE[says.did]}`;
    if (says.did === 'released') return `${place} | Release ${says.name}`;
    return `${place} | You are a member now`;
  }

  async function sentenceOf({ news, readable }: Item): Promise<string> {
    const { actorId, says, target } = news;
    const who = await nameOf(actorId);
    const what = target?.type === 'Issue' ? 'issue' : 'merge request';
    const people = async (ids: readonly number[]) =>
      ids.length === 0 ? 'nobody' : (await Promise.all(ids.slice(0, 10).map(nameOf))).join(', ');
    switch (says.did) {
      case 'opened':
        return `${who} opened this ${what}:`;
      case 'mentioned':
        return `${who} mentioned you in this ${what}:`;
      case 'commented':
        return `${who} commented${readable.note?.confidential ? ' (confidential)' : ''}:`;
      case 'closed':
      case 'merged':
        return `${who} ${says.did} this ${what}.`;
      case 'reopened':
        return `${who} opened this ${what} again.`;
      case 'assigned':
        return `${who} assigned this ${what} to ${await people(says.userIds)}.`;
      case 'asked for review':
        return `${who} asked ${await people(says.userIds)} to review this ${what}.`;
      case 'released':
        return `${who} released ${lineOf(says.name, MOST_NAME)}:`;
      case 'added':
        return `${who} added you to ${readable.groupPath ?? readable.project!.project.fullPath} ${LEVELS[says.accessLevel] ?? ''}.`;
      default:
        return `Your pipeline #${says.pipelineId} ${PIPELINE[says.did]}.`;
    }
  }

  function bodyOf({ news: { says }, readable: { row, note } }: Item): string | null {
    if (says.did === 'commented') return note!.text;
    if (says.did === 'opened' || says.did === 'mentioned') return row!.description;
    return says.did === 'released' ? says.text : null;
  }

  async function htmlOf(text: string, { principal, project }: ReadableNews): Promise<string> {
    return markdownToHtml(text, {
      externalUrl: host,
      projectUrl: project ? `${host}/${project.project.fullPath}` : null,
      resolve: (references) => linksOf(references, { principal, project }),
    });
  }

  const domainOf = () => new URL(host).hostname;
  const idOf = (word: string) => `<${word}@${domainOf()}>`;

  /** A mail of things about the same, the oldest first. @param items one at least */
  return async (to: Mail['to'], userId: number, items: readonly Item[]): Promise<Mail> => {
    const [first, last] = [items[0]!, items.at(-1)!];
    const { news, readable } = last;
    const parts: { text: string; html: string }[] = [];
    let left = MOST_WHOLE;
    for (const item of items) {
      const sentence = await sentenceOf(item);
      const whole = bodyOf(item) ?? '';
      const most = Math.min(MOST_TEXT, left);
      const isCut = whole.length > most;
      const body = isCut ? whole.slice(0, most).toWellFormed() : whole;
      left -= body.length;
      const rest = isCut ? `(It goes on at ${addressOf(item.news, item.readable)})` : '';
      parts.push({
        text: [sentence, body, rest].filter((part) => part !== '').join('\n\n'),
        html: `<p><strong>${escapeHtml(sentence)}</strong></p>\n${body === '' ? '' : await htmlOf(body, item.readable)}${rest === '' ? '' : `<p>${escapeHtml(rest)}</p>\n`}`,
      });
    }
    const address = addressOf(items.length === 1 ? news : first.news, readable);
    const reason = items.findLast((item) => item.reason !== null)?.reason ?? null;
    const why = reason === null ? 'of your notification settings' : REASONS[reason];
    const { project, groupPath } = readable;
    const place = { projectId: news.projectId, groupId: news.groupId };
    const token = tokens.of({ userId, from: news.target ?? place });
    const unsubscribe = `${host}/api/v4/sent_notifications/${token}/unsubscribe`;
    const path = project?.project.fullPath ?? groupPath!;
    const root = idOf(news.thread);
    const begins = first.news.begins;
    const subject = lineOf(subjectOf(news, readable), MOST_SUBJECT);
    return {
      to: { name: lineOf(to.name, MOST_NAME), address: to.address },
      fromName: await nameOf(news.actorId),
      subject: begins || news.target === null ? subject : `Re: ${subject}`,
      messageId: begins ? root : idOf(`${news.thread}.${first.eventId}.${userId}`),
      ...(!begins && { inReplyTo: root, references: [root] }),
      headers: {
        ...placeHeaders(domainOf(), String(news.projectId ?? `group-${news.groupId}`), {
          path,
          ...(project && { id: project.project.id, name: project.project.name }),
        }),
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        ...(reason !== null && { 'X-GitLab-NotificationReason': reason }),
        ...(news.target && {
          [`X-GitLab-${news.target.type}-ID`]: String(news.target.id),
          [`X-GitLab-${news.target.type}-IID`]: String(news.target.iid),
        }),
      },
      text: [
        ...parts.map(({ text }) => text),
        `-- \nYou get this mail because ${why}.\nRead it: ${address}\nEnd mails about this: ${unsubscribe}\n`,
      ].join('\n\n'),
      html: [
        ...parts.map(({ html }) => html),
        `<hr><p>You get this mail because ${why}. <a href="${escapeHtml(address)}">Read it</a> or <a href="${escapeHtml(unsubscribe)}">end mails about this</a>.</p>`,
      ].join('\n'),
    };
  };
}

const PIPELINE = { failed: 'failed', fixed: 'is fixed', succeeded: 'succeeded' } as const;
