import { createHash } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { GroupWikiPageEvent } from '@forgelog/contracts/repo/wikis/group-wiki-page.events.ts';
import type { WikiCommitEvent } from '@forgelog/contracts/repo/wikis/wiki-commit.events.ts';
import { MOST_WIKI_PAGES, type WikiFormat } from '@forgelog/contracts/repo/wikis/wiki-page.api.ts';
import type { WikiPageEvent } from '@forgelog/contracts/repo/wikis/wiki-page.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { Map as PersistentMap, Set as PersistentSet } from 'immutable';
import { pagePath } from './wiki-page-path.ts';
import { movedSlug, slugOf, slugProblems } from './wiki-slug.rules.ts';

interface Attributes {
  slug: string;
  format: WikiFormat;
}

/** Its digest is enough to tell whether a text changes. */
type Page = Attributes & { digest: string };

export interface WikiState {
  /** By id. */
  pages: PersistentMap<number, Page>;
  /** Paths of pushed files that are no pages. */
  files: PersistentSet<string>;
}

/** The project or the group that has the wiki. */
export type WikiPlace = { projectId: number; groupId: null } | { projectId: null; groupId: number };

/** The author of the commit that git sees. */
export interface WikiAuthor {
  name: string;
  email: string;
}

export type WikiEvent = WikiPageEvent | GroupWikiPageEvent | WikiCommitEvent;

/** An event that does not say whose wiki it is about. */
type PlacelessEvent = WikiPageEvent | Extract<WikiCommitEvent, { type: 'WikiCommitPushed' }> extends infer E
  ? E extends { type: infer Type; data: infer Data }
    ? { type: Type; data: Omit<Data, 'projectId'> }
    : never
  : never;
type PageEvent = Exclude<PlacelessEvent, { type: 'WikiCommitPushed' }>;

/** What a pushed commit does with a page. Undefined keeps the current value. */
export type PageChange = { wikiPageId: number } & (
  | { action: 'create'; slug: string; format: WikiFormat; content: string }
  | { action: 'update'; slug?: string; format?: WikiFormat; content?: string | undefined }
  | { action: 'delete' }
);

export interface WikiCommit {
  /** As git has it. */
  pushed: string;
  /** What ends comes first. */
  pages: readonly PageChange[];
  /** Files that are no pages: their bytes in Base64; null for one that ends, or is a page from now on. */
  files: readonly { path: string; content: string | null }[];
}

type PageCommand = { wikiPageId: number; author: WikiAuthor } & (
  | { type: 'CreateWikiPage'; title: string; content: string; format: WikiFormat; mostBytes: number }
  /** Undefined keeps the current value. */
  | {
      type: 'UpdateWikiPage';
      title: string | undefined;
      content: string | undefined;
      format: WikiFormat | undefined;
      mostBytes: number;
    }
  | { type: 'DeleteWikiPage' }
);

/** A push has several commits, one after the other. */
export type WikiCommand = WikiPlace & (PageCommand | { type: 'PushWiki'; commits: readonly WikiCommit[] });

/** A wiki has so many files beside its pages at most. */
const MOST_WIKI_FILES = 1000;

export const wikiStream = ({ projectId, groupId }: WikiPlace): string =>
  projectId === null ? `group-wiki-${groupId}` : `wiki-${projectId}`;

export const wikiDecider: Decider<WikiState, WikiCommand, WikiEvent> = {
  initialState: { pages: PersistentMap(), files: PersistentSet() },

  decide(command, state) {
    if (command.type !== 'PushWiki')
      return changesOf(command, state).map((change) => inWiki(command, change));
    let present = state;
    return command.commits.flatMap((commit) => {
      const { events, after } = eventsOf(command, commit, present);
      present = after;
      if (present.files.size > MOST_WIKI_FILES)
        throw refused(`A wiki has ${MOST_WIKI_FILES} files that are no pages at most`);
      return events;
    });
  },

  evolve({ pages, files }, event) {
    if ('pushed' in event.data) {
      const changed = event.data.files;
      const after = files.withMutations((paths) => {
        for (const { path, content } of changed)
          if (content === null) paths.delete(path);
          else paths.add(path);
      });
      return { pages, files: after };
    }
    const { wikiPageId } = event.data;
    if ('slug' in event.data) {
      const { slug, format, content } = event.data;
      return { pages: pages.set(wikiPageId, { slug, format, digest: digestOf(content) }), files };
    }
    const page = pages.get(wikiPageId);
    if (!page) return { pages, files };
    if ('changes' in event.data)
      return { pages: pages.set(wikiPageId, { ...page, ...event.data.changes }), files };
    if ('content' in event.data)
      return { pages: pages.set(wikiPageId, { ...page, digest: digestOf(event.data.content) }), files };
    return { pages: pages.delete(wikiPageId), files };
  },
};

/** The same event as one of the wiki of a project, or of a group. */
function inWiki({ projectId, groupId }: WikiPlace, { type, data }: PlacelessEvent): WikiEvent {
  const told =
    projectId === null
      ? { type: `Group${type}`, data: { ...data, groupId } }
      : { type, data: { ...data, projectId } };
  return told as WikiEvent;
}

function changesOf(command: PageCommand, state: WikiState): PageEvent[] {
  const { wikiPageId, author } = command;
  if (command.type === 'CreateWikiPage') {
    const { content, format } = command;
    const slug = slugOf(command.title);
    requireValid({ title: slugProblems(slug), content: textProblems(content, command.mostBytes) });
    return [created(state, { wikiPageId, slug, format, content, author })];
  }
  const page = state.pages.get(wikiPageId);
  if (!page) throw pageNotFound();
  switch (command.type) {
    case 'UpdateWikiPage': {
      const { title, content, format, mostBytes } = command;
      const slug = title === undefined ? page.slug : movedSlug(title, page.slug);
      requireValid({
        title: slug === page.slug ? [] : slugProblems(slug),
        content: content === undefined ? [] : textProblems(content, mostBytes),
      });
      return updated(state, page, { wikiPageId, slug, format, content, author });
    }
    case 'DeleteWikiPage':
      return [{ type: 'WikiPageDeleted', data: { wikiPageId, author } }];
    default:
      return command satisfies never;
  }
}

/** A commit, and what it does with pages. Its rules of texts are checked where it is read (`wiki-push.rules.ts`). */
function eventsOf(
  place: WikiPlace,
  { pushed, pages, files }: WikiCommit,
  state: WikiState,
): { events: WikiEvent[]; after: WikiState } {
  let after = state;
  const ofPages = pages.flatMap((change) => {
    const told = pageEventsOf(change, after).map((event) => inWiki(place, event));
    for (const event of told) after = wikiDecider.evolve(after, event);
    return told;
  });
  const data = { pushed, pageEvents: ofPages.length, files: [...files] };
  const commit = inWiki(place, { type: 'WikiCommitPushed', data });
  return { events: [commit, ...ofPages], after: wikiDecider.evolve(after, commit) };
}

function pageEventsOf(change: PageChange, state: WikiState): PageEvent[] {
  const { wikiPageId } = change;
  const author = null;
  // Files that become pages are still among the files here.
  const pagesAlone = { ...state, files: state.files.clear() };
  if (change.action === 'create') {
    const { slug, format, content } = change;
    return [created(pagesAlone, { wikiPageId, slug, format, content, author })];
  }
  const page = state.pages.get(wikiPageId);
  if (!page) throw pageNotFound();
  if (change.action === 'delete') return [{ type: 'WikiPageDeleted', data: { wikiPageId, author } }];
  const { slug = page.slug, format, content } = change;
  return updated(pagesAlone, page, { wikiPageId, slug, format, content, author });
}

interface Written {
  wikiPageId: number;
  slug: string;
  author: WikiAuthor | null;
}

function created(state: WikiState, data: Written & { format: WikiFormat; content: string }): PageEvent {
  requireFree(state, data);
  if (state.pages.size >= MOST_WIKI_PAGES) throw refused(`A wiki has ${MOST_WIKI_PAGES} pages at most`);
  return { type: 'WikiPageCreated', data };
}

function updated(
  state: WikiState,
  page: Page,
  {
    wikiPageId,
    slug,
    format = page.format,
    content,
    author,
  }: Written & {
    format: WikiFormat | undefined;
    content: string | undefined;
  },
): PageEvent[] {
  const change = changesFrom<Attributes>(page, { slug, format });
  const events: PageEvent[] = [];
  if (change !== null) {
    requireFree({ ...state, pages: state.pages.delete(wikiPageId) }, { slug, format });
    events.push({ type: 'WikiPageUpdated', data: { wikiPageId, ...change, author } });
  }
  if (content !== undefined && digestOf(content) !== page.digest)
    events.push({ type: 'WikiPageTextCommitted', data: { wikiPageId, content, author } });
  return events;
}

export const pageNotFound = () => new Rejection('not_found', { what: 'Wiki Page' });

const digestOf = (content: string): string => createHash('sha256').update(content).digest('hex');

const refused = (problem: string) => new Rejection('validation_failed', { fields: { base: [problem] } });

function requireFree({ pages, files }: WikiState, { slug, format }: Attributes): void {
  if (pages.some((page) => page.slug === slug))
    throw refused('Duplicate page: A page with that title already exists');
  const path = pagePath(slug, format);
  if (files.some((file) => file === path || file.startsWith(`${path}/`) || path.startsWith(`${file}/`)))
    throw refused('Duplicate page: A file with that name is in the repository of the wiki');
}

/** What is wrong with the text of a page. */
export function textProblems(content: string, mostBytes: number): string[] {
  if (content.trim() === '') return ["can't be blank"];
  const bytes = Buffer.byteLength(content);
  if (bytes <= mostBytes) return [];
  return [`is too long (${bytes} bytes). The maximum size is ${mostBytes} bytes.`];
}

/** @throws validation_failed with all that is wrong */
function requireValid(problems: Readonly<Record<string, string[]>>): void {
  const fields = Object.fromEntries(Object.entries(problems).filter(([, found]) => found.length > 0));
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}
