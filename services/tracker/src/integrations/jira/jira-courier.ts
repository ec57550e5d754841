import type { Posted } from '../../web-hooks/guarded-post.ts';
import type { Courier } from '../courier.ts';
import type { IntegrationSender } from '../integration-sender.ts';
import type { IntegrationRow } from '../integrations.projection.ts';
import { textOf } from '../wanted-message.rules.ts';
import { type JiraMention, mentionsIn } from './jira-mentions.ts';

/** As Jira bounds the title of a link. */
const LONGEST_TITLE = 255;

/** What became of telling one issue: told, not there, or what failed. */
type Told = 'told' | 'absent' | Posted;

/** Tells issues of Jira of the commits and merge requests that name them. */
export function createJiraCourier(sender: IntegrationSender, host: string): Courier {
  type Ask = (method: 'GET' | 'POST', path: string, body?: object) => Promise<Posted>;

  function askOf(row: IntegrationRow, key: string, signal: AbortSignal): Ask {
    const base = (textOf(row, 'api_url') || textOf(row, 'url')).replace(/\/+$/, '');
    return (method, path, body) =>
      sender.post(
        () => ({
          ...{ method, url: `${base}/rest/api/2/issue/${key}/${path}`, headers: sender.authorizationOf(row) },
          body: Buffer.from(body ? JSON.stringify(body) : ''),
        }),
        signal,
      );
  }

  /** @param done what of it needs no further attempt: a comment is not written twice, and an issue moves once */
  async function tellIssue(
    row: IntegrationRow,
    mention: JiraMention,
    ask: Ask,
    done: Map<string, boolean>,
  ): Promise<Told> {
    const moving = `moves ${partOf(mention)}`;
    const commenting = `comment ${partOf(mention)}`;
    const link = await ask('GET', `remotelink?globalId=${encodeURIComponent(mention.url)}`);
    if (!link.delivered && link.status !== 404) return link;
    const known = link.delivered ? linkIn(link.body) : undefined;
    const closes = mention.isClosing && known?.object?.status?.resolved !== true;
    // Whoever was told of it before is not told again, unless it is done now.
    if (known && !closes) return 'told';
    if (closes && !done.has(moving)) {
      const moved = await transition(textOf(row, 'jira_issue_transition_id'), ask);
      if (typeof moved !== 'boolean') return moved;
      if (moved) done.set(moving, true);
    }
    const isDone = done.has(moving);
    if (known && !isDone) return 'told';
    if (!row.flagsOff.includes('comment_on_event_enabled') && !done.has(commenting)) {
      const commented = await ask('POST', 'comment', { body: commentOn(mention, isDone, host) });
      if (commented.status === 404) return 'absent';
      if (!commented.delivered) return commented;
      done.set(commenting, true);
    }
    const linked = await ask('POST', 'remotelink', remoteLink(mention, isDone));
    if (linked.status === 404) return 'absent';
    return linked.delivered ? 'told' : linked;
  }

  return {
    ...{ isOurs: false, takesEdits: false },
    async tell(row, { bodies, done }, signal) {
      let failed: Posted | undefined;
      for (const mention of mentionsIn(bodies)) {
        const part = partOf(mention);
        if (done.has(part)) continue;
        const told = await tellIssue(row, mention, askOf(row, mention.key, signal), done);
        if (typeof told !== 'string') {
          if (told.retryable) return told;
          failed = told;
        }
        done.set(part, told === 'told');
      }
      if (failed) return failed;
      return [...done.values()].includes(true) ? TOLD : undefined;
    },
    close: () => {},
  };
}

const partOf = ({ key, url }: JiraMention) => `${key} ${url}`;

const TOLD: Posted = { delivered: true, retryable: false, status: 201, error: null, retryAfterMs: null };

/** Whether the issue moved; one whose workflow does not let it stays where it is. */
async function transition(
  ids: string,
  ask: (method: 'POST', path: string, body: object) => Promise<Posted>,
): Promise<boolean | Posted> {
  let moved = false;
  for (const id of ids.split(/[,;]/).filter((one) => one !== '')) {
    const sent = await ask('POST', 'transitions', { transition: { id } });
    if (!sent.delivered && ![400, 404, 409].includes(sent.status ?? 0)) return sent;
    if (!sent.delivered) return moved;
    moved = true;
  }
  return moved;
}

function linkIn(body: Buffer | undefined): { object?: { status?: { resolved?: unknown } } } | undefined {
  try {
    const link = JSON.parse(String(body));
    return typeof link === 'object' && link !== null ? link : undefined;
  } catch {
    return undefined;
  }
}

const remoteLink = ({ what, title, url }: JiraMention, resolved: boolean) => ({
  globalId: url,
  application: { type: 'org.forgelog', name: 'Forgelog' },
  relationship: 'mentioned on',
  object: { url, title: `${what}: ${title}`.slice(0, LONGEST_TITLE).toWellFormed(), status: { resolved } },
});

export function commentOn({ what, title, url, by }: JiraMention, isDone: boolean, host: string): string {
  const who = by.username === null ? escaped(by.name) : link(by.name, `${host}/${by.username}`);
  const did = isDone ? 'resolved this issue by' : 'mentioned this issue in';
  return `${who} ${did} ${link(what, url)}:\n${escaped(title)}`;
}

/** Texts of people are no markup there: no mention, link, image or macro. */
const escaped = (text: string): string => text.replaceAll('\\', '&#92;').replace(/[{}[\]|*_^~!#+?]/g, '\\$&');

const link = (text: string, url: string): string =>
  `[${escaped(text)}|${url.replace(/[\s|[\]{}]/g, (sign) => encodeURIComponent(sign))}]`;
