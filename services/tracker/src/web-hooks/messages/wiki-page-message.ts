import { WIKI_BRANCH } from '@forgelog/contracts/repo/wikis/wiki-attachment.api.ts';
import type { WikiPageEvent } from '@forgelog/contracts/repo/wikis/wiki-page.events.ts';
import { describeWikiPage } from '@forgelog/contracts/repo/wikis/wiki-page.operations.ts';
import type { DirectoryProject } from '@forgelog/directory/collections.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import { hookWikiPages } from '../hook-wiki-pages.projection.ts';
import type { HookMessage } from '../web-hook-sender.ts';
import type { HookFacts } from './hook-facts.ts';

const ACTIONS = {
  WikiPageCreated: ['create', 'created'],
  WikiPageUpdated: ['update', 'updated'],
  WikiPageTextCommitted: ['update', 'updated'],
  WikiPageDeleted: ['delete', 'deleted'],
} as const;

/** A page of a wiki: its name as it is now, and the text that the event gave it. */
export async function wikiPageMessage(
  ports: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<WikiPageEvent['type'], WikiPageEvent['data']>,
): Promise<HookMessage[]> {
  const { projectId, wikiPageId } = event.data;
  const found = await facts.projectOf(projectId);
  const page = await ports.readStore.get(hookWikiPages, wikiPageId);
  if (!found || !page || (await isToldWithItsText(ports, event))) return [];
  const content = await textOf(ports, event);
  const [action, done] = ACTIONS[event.type];
  const user = await facts.user(facts.actorOf(event));
  const { slug, format } = page;
  const title = slug.slice(slug.lastIndexOf('/') + 1).replaceAll('-', ' ');
  const project = await facts.project(found);
  const body = {
    object_kind: 'wiki_page',
    user,
    project,
    wiki: wikiOf(facts, found),
    object_attributes: {
      ...{ title, content, format, slug, action },
      message: `${user?.username ?? 'Somebody'} ${done} page: ${title}`,
      url: `${facts.webUrl(found)}/-/wikis/${encodeURI(slug)}`,
    },
  };
  return [{ trigger: 'wiki_page_events', projectId, branch: null, body: JSON.stringify(body) }];
}

/** One request may move a page and write its text: receivers are told once. */
async function isToldWithItsText(
  { history }: ServicePorts,
  { type, stream, revision, data, metadata, time }: RecordedEvent<string, WikiPageEvent['data']>,
): Promise<boolean> {
  if (type !== 'WikiPageUpdated') return false;
  const next = await history.at(stream, revision + 1);
  if (next?.type !== 'WikiPageTextCommitted' || next.time !== time) return false;
  const { wikiPageId } = next.data as WikiPageEvent['data'];
  return wikiPageId === data.wikiPageId && next.metadata.requestId === metadata.requestId;
}

/** Events of a wiki that are read for the text that a page had when it was moved. */
const MOST_BACK = 50;

/** The text as of the event; of a page that was moved long after it was written, the one of now. */
async function textOf(
  { history, operations }: ServicePorts,
  { type, stream, revision, data }: RecordedEvent<WikiPageEvent['type'], WikiPageEvent['data']>,
): Promise<string> {
  if ('content' in data) return data.content;
  if (type === 'WikiPageDeleted') return '';
  const { projectId, wikiPageId: id } = data;
  for (let at = revision - 1; at >= Math.max(0, revision - MOST_BACK); at -= 1) {
    const earlier = (await history.at(stream, at))?.data as WikiPageEvent['data'] | undefined;
    if (earlier?.wikiPageId === id && 'content' in earlier) return earlier.content;
  }
  const asked = { projectIds: [projectId], id };
  return (await operations.call(describeWikiPage, asked, { principal: null })).page?.content ?? '';
}

function wikiOf(facts: HookFacts, project: DirectoryProject) {
  const web = facts.webUrl(project);
  return {
    web_url: `${web}/-/wikis/home`,
    git_ssh_url: `git@${new URL(facts.host).hostname}:${project.fullPath}.wiki.git`,
    git_http_url: `${web}.wiki.git`,
    path_with_namespace: `${project.fullPath}.wiki`,
    default_branch: WIKI_BRANCH,
  };
}
