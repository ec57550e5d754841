import type { RequestOf } from '@forgelog/contracts/operation.ts';
import type { searchRepo } from '@forgelog/contracts/repo/search/repo-search.operations.ts';
import { WIKI_BRANCH } from '@forgelog/contracts/repo/wikis/wiki-attachment.api.ts';
import type { WikiFormat } from '@forgelog/contracts/repo/wikis/wiki-page.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, type Condition, eq, isEmpty, not, oneOf } from '@forgelog/eventing/query.ts';
import { isAmong, wordsOf } from '@forgelog/eventing/words.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { searched, searchedWords } from '@forgelog/service-kit/searched.ts';
import { wikiPages, wikiTexts } from '../wikis/wiki-pages.projection.ts';
import { excerptOf } from './excerpt.ts';
import { searchedBlobJson } from './searched.view.ts';

type Asked = RequestOf<typeof searchRepo>;

/** Names of the files of pages, as they are called in a clone elsewhere. */
const ENDINGS: Record<WikiFormat, string> = {
  markdown: 'md',
  rdoc: 'rdoc',
  asciidoc: 'asciidoc',
  org: 'org',
};
const field = 'projectId';

/** Pages of the wikis of projects that are open to the caller; those whose slug has the words come first. */
export function wikiSearch(ports: ServicePorts) {
  const { readStore, directory } = ports;
  const view = searchedBlobJson.renderer(ports);

  async function placed({ groupId, projectId }: Asked): Promise<Condition[]> {
    if (projectId !== null) return [eq(field, projectId)];
    return groupId === null ? [] : [oneOf(field, await directory.projectsBelow(groupId))];
  }

  return async (asked: Asked, principal: Principal | null) => {
    const words = searchedWords(asked.search);
    const texts = { telling: ['slug'], others: ['content'], byTime: asked.byTime };
    const { found, sort, first } = searched(words, texts);
    const seen = await directory.projectsWith(principal, 0, field);
    const closed = await directory.projectsWithout('wiki', principal, { archived: false, field });
    const ofProjects = not(isEmpty(field));
    const where = and(ofProjects, ...(await placed(asked)), ...(seen ? [seen] : []), not(closed), found);
    const { documents, next } = await pageOf(readStore, wikiTexts, { where, sort, first, page: asked.page });
    const ids = documents.map(({ id }) => id);
    const pages = await readStore.find(wikiPages, {
      where: oneOf('id', ids),
      limit: Math.max(1, ids.length),
    });
    const formats = new Map(pages.map(({ id, format }) => [id, format as WikiFormat]));
    const holdsOne = (line: string) => {
      const held = wordsOf(line);
      return words.some((word) => isAmong(word, held));
    };
    const items = documents.map(({ id, projectId, slug, content }) => {
      const path = `${slug}.${ENDINGS[formats.get(id) ?? 'markdown']}`;
      return String(
        view.one({
          projectId: projectId!,
          path,
          oid: null,
          ref: WIKI_BRANCH,
          ...excerptOf(content, holdsOne),
        }),
      );
    });
    return { items, next };
  };
}
