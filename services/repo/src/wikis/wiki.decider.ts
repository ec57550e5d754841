import { createHash } from 'node:crypto';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { GroupWikiPageEvent } from '@forgelog/contracts/repo/wikis/group-wiki-page.events.ts';
import { MOST_WIKI_PAGES, type WikiFormat } from '@forgelog/contracts/repo/wikis/wiki-page.api.ts';
import type { WikiPageEvent } from '@forgelog/contracts/repo/wikis/wiki-page.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { Map as PersistentMap } from 'immutable';
import { movedSlug, slugOf, slugProblems } from './wiki-slug.rules.ts';

interface Attributes {
  slug: string;
  format: WikiFormat;
}

/** Its digest is enough to tell whether a text changes. */
type Page = Attributes & { digest: string };

/** The pages of one wiki by id. */
export type WikiState = PersistentMap<number, Page>;

/** The project or the group that has the wiki. */
export type WikiPlace = { projectId: number; groupId: null } | { projectId: null; groupId: number };

/** An event of a page, which does not say whose wiki it is. */
type PageEvent = WikiPageEvent extends infer E
  ? E extends { type: infer Type; data: infer Data }
    ? { type: Type; data: Omit<Data, 'projectId'> }
    : never
  : never;

export type WikiCommand = WikiPlace & { wikiPageId: number } & (
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

export const wikiStream = ({ projectId, groupId }: WikiPlace): string =>
  projectId === null ? `group-wiki-${groupId}` : `wiki-${projectId}`;

export const wikiDecider: Decider<WikiState, WikiCommand, WikiPageEvent | GroupWikiPageEvent> = {
  initialState: PersistentMap(),

  decide(command, state) {
    return changesOf(command, state).map((change) => inWiki(command, change));
  },

  evolve(state, event) {
    const { wikiPageId } = event.data;
    if ('slug' in event.data) {
      const { slug, format, content } = event.data;
      return state.set(wikiPageId, { slug, format, digest: digestOf(content) });
    }
    const page = state.get(wikiPageId);
    if (!page) return state;
    if ('changes' in event.data) return state.set(wikiPageId, { ...page, ...event.data.changes });
    if ('content' in event.data)
      return state.set(wikiPageId, { ...page, digest: digestOf(event.data.content) });
    return state.delete(wikiPageId);
  },
};

/** The same event as one of the wiki of a project, or of a group. */
function inWiki(
  { projectId, groupId }: WikiPlace,
  { type, data }: PageEvent,
): WikiPageEvent | GroupWikiPageEvent {
  const told =
    projectId === null
      ? { type: `Group${type}`, data: { ...data, groupId } }
      : { type, data: { ...data, projectId } };
  return told as WikiPageEvent | GroupWikiPageEvent;
}

function changesOf(command: WikiCommand, state: WikiState): PageEvent[] {
  const { wikiPageId } = command;
  if (command.type === 'CreateWikiPage') {
    const { content, format } = command;
    const slug = slugOf(command.title);
    requireValid({ title: slugProblems(slug), content: textProblems(content, command.mostBytes) });
    requireFree(state, slug);
    if (state.size >= MOST_WIKI_PAGES)
      throw new Rejection('validation_failed', {
        fields: { base: [`A wiki has ${MOST_WIKI_PAGES} pages at most`] },
      });
    return [{ type: 'WikiPageCreated', data: { wikiPageId, slug, format, content } }];
  }
  const page = state.get(wikiPageId);
  if (!page) throw pageNotFound();
  switch (command.type) {
    case 'UpdateWikiPage': {
      const { title, content, format, mostBytes } = command;
      const slug = title === undefined ? page.slug : movedSlug(title, page.slug);
      requireValid({
        title: slug === page.slug ? [] : slugProblems(slug),
        content: content === undefined ? [] : textProblems(content, mostBytes),
      });
      if (slug !== page.slug) requireFree(state, slug);
      const change = changesFrom<Attributes>(page, { slug, format });
      const events: PageEvent[] = [];
      if (change !== null) events.push({ type: 'WikiPageUpdated', data: { wikiPageId, ...change } });
      if (content !== undefined && digestOf(content) !== page.digest)
        events.push({ type: 'WikiPageTextCommitted', data: { wikiPageId, content } });
      return events;
    }
    case 'DeleteWikiPage':
      return [{ type: 'WikiPageDeleted', data: { wikiPageId } }];
    default:
      return command satisfies never;
  }
}

export const pageNotFound = () => new Rejection('not_found', { what: 'Wiki Page' });

const digestOf = (content: string): string => createHash('sha256').update(content).digest('hex');

function requireFree(state: WikiState, slug: string): void {
  if (state.some((page) => page.slug === slug))
    throw new Rejection('validation_failed', {
      fields: { base: ['Duplicate page: A page with that title already exists'] },
    });
}

function textProblems(content: string, mostBytes: number): string[] {
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
