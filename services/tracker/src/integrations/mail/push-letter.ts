import { type PushDiff, readPushDiff } from '@forgelog/contracts/repo/commits/commit.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { escapeHtml } from '@forgelog/service-kit/html.ts';
import { lineOf } from '../../notifications/mail-text.ts';
import type { HookBody } from '../courier.ts';
import { type Letter, MOST_SUBJECT, nameIn, projectIn, shortened } from './letter.ts';

const MOST_MESSAGE = 2_000;
/** In characters; what is longer is read on the server. */
const MOST_DIFF = 100_000;
const ABSENT = /^0+$/;

/** Letters on pushes to branches and tags. */
export function pushLetters({ operations }: Pick<ServicePorts, 'operations'>) {
  /** Only a branch that moved has a diff: a new one would show everything that others have. */
  async function diffOf({ object_kind, project_id: projectId, before, after }: HookBody) {
    if (object_kind !== 'push' || ABSENT.test(before) || ABSENT.test(after)) return undefined;
    return operations.call(readPushDiff, { projectId, oldOid: before, newOid: after }, { principal: null });
  }

  /** Undefined for what is no push. */
  return async (body: HookBody, { withDiff }: { withDiff: boolean }): Promise<Letter | undefined> => {
    if (body.object_kind !== 'push' && body.object_kind !== 'tag_push') return undefined;
    return pushLetter(body, withDiff ? await diffOf(body) : undefined);
  };
}

export function pushLetter(body: HookBody, diff: PushDiff | undefined): Letter {
  const { ref, before, after, commits, project: shown } = body;
  const project = projectIn(body);
  const isTag = body.object_kind === 'tag_push';
  const name = String(ref).replace(/^refs\/(heads|tags)\//, '');
  const what = `${isTag ? 'tag' : 'branch'} ${lineOf(name, MOST_SUBJECT)}`;
  const who = nameIn(body.user_name);
  const did = didOf({ isTag, isNew: ABSENT.test(before), isGone: ABSENT.test(after) });
  const url = addressOf({ isTag, name, before, after, web: shown.web_url });
  const count = body.total_commits_count as number;
  const about =
    did === 'pushed to' && commits.length > 0
      ? `${count > 1 ? `${count} commits: ` : ''}${commits[0].title}`
      : `${did[0]!.toUpperCase()}${did.slice(1)} ${what}`;
  const said = `${who} ${did} ${what} of ${project.path}.`;
  const left = count > commits.length ? `The newest ${commits.length} of ${count} commits:` : 'Commits:';
  const lines = (commits as HookBody[]).map((commit) => ({
    title: `${String(commit.id).slice(0, 8)} by ${nameIn(commit.author.name)} at ${commit.timestamp}`,
    message: shortened(String(commit.message).trim(), MOST_MESSAGE),
    url: commit.url,
  }));
  const tagMessage = isTag && body.message ? shortened(String(body.message).trim(), MOST_MESSAGE) : '';
  const changes = diff && diff.files.length > 0 ? diffText(diff) : '';
  return {
    ...{ part: String(ref), fromName: who, project },
    subject: lineOf(`[Git][${project.path}][${name}] ${about}`, MOST_SUBJECT),
    text: [
      said,
      tagMessage,
      lines.length > 0 ? left : '',
      ...lines.map(({ title, message }) => `${title}\n\n    ${message.replaceAll('\n', '\n    ')}`),
      changes === '' ? '' : `Changes:\n\n${changes}`,
      `Read it: ${url}`,
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
    html: [
      `<p><strong>${escapeHtml(said)}</strong></p>`,
      tagMessage === '' ? '' : `<pre>${escapeHtml(tagMessage)}</pre>`,
      lines.length > 0 ? `<p>${left}</p>` : '',
      ...lines.map(
        ({ title, message, url: commitUrl }) =>
          `<p><a href="${escapeHtml(commitUrl)}">${escapeHtml(title)}</a></p>\n<pre>${escapeHtml(message)}</pre>`,
      ),
      changes === '' ? '' : `<p>Changes:</p>\n<pre>${escapeHtml(changes)}</pre>`,
      `<p><a href="${escapeHtml(url)}">Read it</a></p>`,
    ]
      .filter((part) => part !== '')
      .join('\n'),
  };
}

function didOf({ isTag, isNew, isGone }: { isTag: boolean; isNew: boolean; isGone: boolean }) {
  if (isGone) return 'removed';
  if (isNew) return 'pushed new';
  return isTag ? 'moved' : 'pushed to';
}

interface Moved {
  isTag: boolean;
  name: string;
  before: string;
  after: string;
  web: string;
}

function addressOf({ isTag, name, before, after, web }: Moved): string {
  if (ABSENT.test(after)) return web;
  if (isTag) return `${web}/-/tags/${encodeURI(name)}`;
  return ABSENT.test(before)
    ? `${web}/-/commits/${encodeURI(name)}`
    : `${web}/-/compare/${before}...${after}`;
}

function diffText({ files, overflow }: PushDiff): string {
  const whole = files
    .map(({ oldPath, newPath, newFile, deletedFile, diff }) => {
      const head = `--- ${newFile ? '/dev/null' : `a/${oldPath}`}\n+++ ${deletedFile ? '/dev/null' : `b/${newPath}`}`;
      return `${head}\n${diff}`;
    })
    .join('\n');
  const isCut = overflow || whole.length > MOST_DIFF;
  return `${shortened(whole, MOST_DIFF)}${isCut ? '\n(There is more, which is too long for a mail.)' : ''}`;
}
