import type { CHANNELS } from '@forgelog/contracts/tracker/integrations/integration-kinds.ts';

/* What there is to say in a chat of something that hooks are told of: words and links, which each chat writes in its way. */

export type Word = string | { text: string; url: string };

export interface ChatMessage {
  /** The parameter that names the channel of such messages. */
  channel: (typeof CHANNELS)[number];
  /** One sentence. */
  summary: Word[];
  /** What it is about in its own words; empty where the sentence says it all. */
  details: Word[];
  tone: 'neutral' | 'good' | 'bad';
  user: { name: string; avatarUrl: string | null };
  projectName: string;
}

/* biome-ignore lint/suspicious/noExplicitAny: bodies of hooks, each of a form of its own. */
type Body = any;

const MOST_COMMITS = 10;
const LONGEST_DETAILS = 1_500;
const LONGEST_TITLE = 200;
const ABSENT = /^0+$/;

const cut = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
const title = (text: unknown): string => cut(String(text ?? ''), LONGEST_TITLE);
const details = (text: unknown): Word[] => {
  const said = cut(String(text ?? '').trim(), LONGEST_DETAILS);
  return said === '' ? [] : [said];
};

/** Undefined for what chats are not told of, such as an edited title. */
export function chatMessageOf(body: Body): ChatMessage | undefined {
  const about = ABOUT[body.object_kind]?.(body);
  if (!about) return undefined;
  const { name = 'Somebody', avatar_url: avatarUrl = null } = userOf(body) ?? {};
  const { path_with_namespace: projectName } = body.project;
  return { tone: 'neutral', details: [], ...about, user: { name, avatarUrl }, projectName };
}

type About = Pick<ChatMessage, 'channel' | 'summary'> & Partial<Pick<ChatMessage, 'details' | 'tone'>>;

const userOf = (body: Body): { name?: string; avatar_url?: string | null } | null =>
  body.user ?? (body.user_name ? { name: body.user_name, avatar_url: body.user_avatar } : null);

const by = (body: Body): string => userOf(body)?.name ?? 'Somebody';

const projectIn = ({ project }: Body): Word => ({ text: project.path_with_namespace, url: project.web_url });

const ACTIONS: Readonly<Record<string, string>> = {
  ...{ open: 'opened', close: 'closed', reopen: 'reopened', merge: 'merged' },
  ...{ approved: 'approved', unapproved: 'revoked the approval of', create: 'created' },
  ...{ update: 'edited', delete: 'deleted' },
};

const ABOUT: Readonly<Record<string, (body: Body) => About | undefined>> = {
  push: (body) => {
    const branch = String(body.ref).replace(/^refs\/heads\//, '');
    const web = body.project.web_url;
    const link = { text: title(branch), url: `${web}/-/commits/${encodeURI(branch)}` };
    const inProject = [' of ', projectIn(body)];
    const channel = 'push_channel';
    if (ABSENT.test(body.after))
      return { channel, summary: [`${by(body)} removed branch ${title(branch)}`, ...inProject] };
    if (ABSENT.test(body.before))
      return { channel, summary: [`${by(body)} pushed new branch `, link, ...inProject] };
    const compare = { text: 'Compare changes', url: `${web}/-/compare/${body.before}...${body.after}` };
    const commits = body.commits.slice(-MOST_COMMITS) as Body[];
    const lines = commits.flatMap((commit, at): Word[] => [
      at === 0 ? '' : '\n',
      { text: String(commit.id).slice(0, 8), url: commit.url },
      `: ${title(commit.title)} - ${commit.author.name}`,
    ]);
    const summary = [`${by(body)} pushed to branch `, link, ...inProject, ' (', compare, ')'];
    return { channel, summary, details: lines };
  },

  tag_push: (body) => {
    const tag = String(body.ref).replace(/^refs\/tags\//, '');
    const link = { text: title(tag), url: `${body.project.web_url}/-/tags/${encodeURI(tag)}` };
    const isGone = ABSENT.test(body.after);
    const said = isGone ? [`${by(body)} removed tag ${title(tag)}`] : [`${by(body)} pushed new tag `, link];
    return { channel: 'tag_push_channel', summary: [...said, ' of ', projectIn(body)] };
  },

  issue: (body) => {
    const { iid, title: name, url, action, confidential, description } = body.object_attributes;
    // Edits would be noise.
    if (action === 'update') return undefined;
    const link = { text: `#${iid} ${title(name)}`, url };
    return {
      channel: confidential ? 'confidential_issue_channel' : 'issue_channel',
      summary: [`${by(body)} ${ACTIONS[action]} issue `, link, ' in ', projectIn(body)],
      details: action === 'open' ? details(description) : [],
    };
  },

  merge_request: (body) => {
    const { iid, title: name, url, action } = body.object_attributes;
    const done = ACTIONS[action];
    if (action === 'update' || done === undefined) return undefined;
    const link = { text: `!${iid} ${title(name)}`, url };
    const channel = 'merge_request_channel';
    return { channel, summary: [`${by(body)} ${done} merge request `, link, ' in ', projectIn(body)] };
  },

  note: (body) => {
    const { note, url } = body.object_attributes;
    const subject = subjectOf(body);
    return {
      channel: body.event_type === 'confidential_note' ? 'confidential_note_channel' : 'note_channel',
      summary: [`${by(body)} `, { text: `commented on ${subject}`, url }, ' in ', projectIn(body)],
      details: details(note),
    };
  },

  pipeline: (body) => {
    const { id, ref, tag, status, duration, url } = body.object_attributes;
    if (status !== 'success' && status !== 'failed') return undefined;
    const took = typeof duration === 'number' ? ` in ${spoken(duration)}` : '';
    return {
      channel: 'pipeline_channel',
      summary: [
        ...[projectIn(body), ': ', { text: `Pipeline #${id}`, url }],
        ` of ${tag ? 'tag' : 'branch'} ${title(ref)} by ${by(body)} `,
        `${status === 'success' ? 'has passed' : 'has failed'}${took}`,
      ],
      tone: status === 'success' ? 'good' : 'bad',
    };
  },

  wiki_page: (body) => {
    const { title: name, url, action } = body.object_attributes;
    const page: Word = action === 'delete' ? title(name) : { text: title(name), url };
    const summary = [`${by(body)} ${ACTIONS[action]} wiki page `, page, ' in ', projectIn(body)];
    return { channel: 'wiki_page_channel', summary };
  },

  deployment: (body) => {
    const { status, environment, short_sha, commit_url, deployable_url, deployment_id } = body;
    const name = `Deployment ${deployment_id}`;
    const link: Word = deployable_url ? { text: name, url: deployable_url } : name;
    return {
      channel: 'deployment_channel',
      summary: [
        ...[projectIn(body), ': ', link, ` of `, { text: short_sha, url: commit_url }],
        ` to ${title(environment)} by ${by(body)}: ${status}`,
      ],
      tone: status === 'success' ? 'good' : status === 'failed' ? 'bad' : 'neutral',
    };
  },
};

function subjectOf({ issue, merge_request, commit, snippet }: Body): string {
  if (issue) return `issue #${issue.iid} ${title(issue.title)}`;
  if (merge_request) return `merge request !${merge_request.iid} ${title(merge_request.title)}`;
  if (commit) return `commit ${String(commit.id).slice(0, 8)}`;
  return `snippet $${snippet.id}`;
}

export const spoken = (seconds: number): string => {
  const [minutes, rest] = [Math.floor(seconds / 60), Math.round(seconds % 60)];
  return `${String(minutes).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
};
