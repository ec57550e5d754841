import { Readable } from 'node:stream';
import {
  groupWikiPages,
  MOST_WIKI_PAGES,
  wikiPages as projectWikiPages,
} from '@forgelog/contracts/repo/wikis/wiki-page.api.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { settingNow } from '@forgelog/directory/settings.ts';
import { and, asc, eq, oneOf } from '@forgelog/eventing/query.ts';
import { type Answer, json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { requireUnmodifiedSince } from '@forgelog/service-kit/precondition.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { pageNotFound, type WikiCommand, type WikiPlace, wikiDecider, wikiStream } from './wiki.decider.ts';
import { groupWiki, inWiki, projectWiki } from './wiki.query.ts';
import { wikiPageJson, wikiPageSummaryJson } from './wiki-page.view.ts';
import { type WikiPageRow, wikiPages, wikiTexts } from './wiki-pages.projection.ts';
import { slugOf } from './wiki-slug.rules.ts';

/** So many texts of a list are in memory at once. */
const AT_ONCE = 16;

const authorOf = ({ caller: { name, email } }: ApiRequest) => ({ name, email });

export const wikiRoutes = (ports: ServicePorts): Implementation[] => [
  ...routesOf(ports, projectWikiPages, projectWiki),
  ...routesOf(ports, groupWikiPages, groupWiki),
];

function routesOf(
  ports: ServicePorts,
  endpoints: typeof projectWikiPages | typeof groupWikiPages,
  placeOf: (request: ApiRequest) => WikiPlace,
): Implementation[] {
  const { commands, ids, readStore } = ports;
  const view = wikiPageJson.renderer(ports);
  const summaries = wikiPageSummaryJson.renderer(ports);

  const mostBytes = () => settingNow(ports, 'wiki_page_max_content_bytes');

  const handle = (command: WikiCommand, { metadata }: ApiRequest) =>
    commands.handle(wikiDecider, wikiStream(command), command, metadata);

  /** @throws not_found */
  async function required(place: WikiPlace, slug: string): Promise<WikiPageRow> {
    const where = and(inWiki(place), eq('slug', slugOf(slug)));
    const [row] = await readStore.find(wikiPages, { where, limit: 1 });
    if (!row) throw pageNotFound();
    return row;
  }

  async function answerOf(row: WikiPageRow | undefined, status = 200): Promise<Answer> {
    const text = row && (await readStore.get(wikiTexts, row.id));
    if (!row || !text) throw pageNotFound();
    return json(view.one({ ...row, content: text.content }), { status });
  }

  const written = async (id: number, status?: number) => answerOf(await readStore.get(wikiPages, id), status);

  /** Pages with their texts; one that ends meanwhile is left out. */
  async function* withTexts(rows: readonly WikiPageRow[]): AsyncGenerator<string> {
    let before = '[';
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const some = rows.slice(at, at + AT_ONCE);
      const where = oneOf(
        'id',
        some.map(({ id }) => id),
      );
      const texts = new Map(
        (await readStore.find(wikiTexts, { where, limit: AT_ONCE })).map(({ id, content }) => [id, content]),
      );
      for (const row of some) {
        const content = texts.get(row.id);
        if (content === undefined) continue;
        yield `${before}${view.one({ ...row, content })}`;
        before = ',';
      }
    }
    yield before === '[' ? '[]' : ']';
  }

  return [
    implement(endpoints.list, async (request) => {
      const where = inWiki(placeOf(request));
      const rows = await readStore.find(wikiPages, { where, sort: [asc('slug')], limit: MOST_WIKI_PAGES });
      if (!request.params.with_content) return json(summaries.list(rows));
      const outline = rows.map((row) => view.one({ ...row, content: '' }));
      return {
        kind: 'stream',
        stream: Readable.from(withTexts(rows), { objectMode: false }),
        headers: { 'Content-Type': 'application/json' },
        outline: `[${outline.join(',')}]`,
      };
    }),

    implement(endpoints.get, async (request) =>
      answerOf(await required(placeOf(request), request.params.slug)),
    ),

    implement(endpoints.create, async (request) => {
      const { title, content, format } = request.params;
      const commandFor = (wikiPageId: number, most: number): WikiCommand => ({
        ...{ type: 'CreateWikiPage', ...placeOf(request), wikiPageId },
        ...{ title, content, format, mostBytes: most, author: authorOf(request) },
      });
      const most = await mostBytes();
      // What is invalid takes no id.
      wikiDecider.decide(commandFor(0, most), wikiDecider.initialState);
      const id = await ids.next('wikiPage');
      await handle(commandFor(id, most), request);
      return written(id, 201);
    }),

    implement(endpoints.update, async (request) => {
      const { slug, title, content, format } = request.params;
      const place = placeOf(request);
      const { id: wikiPageId } = await required(place, slug);
      const changes = { title, content, format, mostBytes: await mostBytes(), author: authorOf(request) };
      await handle({ type: 'UpdateWikiPage', ...place, wikiPageId, ...changes }, request);
      return written(wikiPageId);
    }),

    implement(endpoints.delete, async (request) => {
      const place = placeOf(request);
      const { id, updatedAt } = await required(place, request.params.slug);
      requireUnmodifiedSince(request.headers, updatedAt);
      const author = authorOf(request);
      await handle({ type: 'DeleteWikiPage', ...place, wikiPageId: id, author }, request);
      return noContent();
    }),
  ];
}
