import { WIKI_BRANCH } from '@forgelog/contracts/repo/wikis/wiki-attachment.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { Git, Repository } from '@forgelog/git/git.ts';
import { type CommitMaker, createMadeRepositories, unnamedAuthor } from '../shared/made-repositories.ts';
import { type WikiEvent, type WikiPlace, type WikiState, wikiDecider, wikiStream } from './wiki.decider.ts';
import { titleOf } from './wiki-slug.rules.ts';
import { treeActions } from './wiki-tree-actions.ts';

export const WIKI_REF = `refs/heads/${WIKI_BRANCH}`;

/** Where the repository of a wiki lies, below the folder of repositories. */
export const wikiRepositoryOf = ({ projectId, groupId }: WikiPlace): string =>
  `@wikis/${projectId === null ? `group-${groupId}` : `project-${projectId}`}.git`;

export interface WikiRepositories {
  /** Brings the repository to the end of the wiki's events, and gives their last revision; -1 for an empty wiki. */
  upToDate(place: WikiPlace): Promise<{ repository: Repository; revision: number }>;
}

/** A commit for each pushed one, and for each call of the API. */
export function createWikiRepositories(
  ports: Pick<ServicePorts, 'commands' | 'history'> & { git: Git },
): WikiRepositories {
  const repositories = createMadeRepositories(ports, WIKI_BRANCH, async (repository, { stream }, from) => {
    const { state } =
      from < 0
        ? { state: wikiDecider.initialState }
        : await ports.commands.load(wikiDecider, stream, { at: from });
    return commitMaker(repository, state);
  });
  return {
    upToDate: (place) => repositories.upToDate({ path: wikiRepositoryOf(place), stream: wikiStream(place) }),
  };
}

type RecordedWikiEvent = RecordedEvent<WikiEvent['type'], WikiEvent['data']>;

function commitMaker(repository: Repository, present: WikiState): CommitMaker {
  let state = present;
  return {
    async make(first, next, head) {
      const events = await together(first as RecordedWikiEvent, next as () => Promise<RecordedWikiEvent>);
      const before = state;
      for (const event of events) state = wikiDecider.evolve(state, event as WikiEvent);
      const actions = treeActions(events as readonly WikiEvent[], before);
      const [{ data, metadata, time }] = events as [RecordedWikiEvent];
      const last = events.at(-1)!;
      if ('pushed' in data)
        return {
          last,
          commit: await repository.restoreEdit(Buffer.from(data.pushed), { parent: head, actions }),
        };
      const author = data.author ?? unnamedAuthor(metadata.actorId);
      const { oid: commit } = await repository.buildCommit({
        ...{ parents: head ? [head] : [], actions, author: { ...author, date: new Date(time) } },
        message: messageOf(
          first.type,
          titleOf(state.pages.get(data.wikiPageId)?.slug ?? slugBefore(before, data)),
        ),
      });
      return { last, commit };
    },
  };
}

const slugBefore = ({ pages }: WikiState, { wikiPageId }: { wikiPageId: number }): string =>
  pages.get(wikiPageId)?.slug ?? '';

/** A pushed commit with what it does, or what one call of the API did. */
async function together(
  first: RecordedWikiEvent,
  next: () => Promise<RecordedWikiEvent | undefined>,
): Promise<RecordedWikiEvent[]> {
  const events = [first];
  if ('pushed' in first.data) while (events.length <= first.data.pageEvents) events.push((await next())!);
  else if ('changes' in first.data) {
    const text = await next();
    const isSame = text !== undefined && text.metadata.requestId === first.metadata.requestId;
    if (isSame && text.time === first.time && isTextOf(text, first.data.wikiPageId)) events.push(text);
  }
  return events;
}

const isTextOf = ({ type, data }: RecordedWikiEvent, wikiPageId: number): boolean =>
  type.endsWith('WikiPageTextCommitted') && 'wikiPageId' in data && data.wikiPageId === wikiPageId;

function messageOf(type: string, title: string): string {
  if (type.endsWith('Created')) return `Create page ${title}\n`;
  return type.endsWith('Deleted') ? `Delete page ${title}\n` : `Update page ${title}\n`;
}
