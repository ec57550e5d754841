import { Rejection } from '@forgelog/contracts/errors.ts';
import type { RefUpdate } from '@forgelog/git/refs/ref-transaction.ts';
import type { RepositoryReads } from '@forgelog/git/repository-reads.ts';
import { isSafePath } from '@forgelog/git/trees/tree-path.ts';
import { linearCommits, PushRefused, requirePlain, textOf } from '../shared/pushed-commits.ts';
import {
  type PageChange,
  textProblems,
  type WikiCommit,
  type WikiEvent,
  type WikiPlace,
  type WikiState,
  wikiDecider,
} from './wiki.decider.ts';
import { pageAtPath } from './wiki-page-path.ts';
import { WIKI_REF } from './wiki-repositories.ts';
import { slugOf, slugProblems } from './wiki-slug.rules.ts';
import { treeActions } from './wiki-tree-actions.ts';

const WHAT = 'wiki';
const MOST_COMMITS = 500;
/** What a push adds to the log: all of it is appended at once. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_FILE_BYTES = 1024 * 1024;
const MOST_CHANGES = 5000;
/** So many files are named to the pusher. */
const MOST_NAMED = 20;
const NO_PAGE = /\.(?:md|markdown|mdown|mkdn?|rdoc|asciidoc|adoc|asc|org|textile|rst|creole|wiki)$/i;

type Entry = Awaited<ReturnType<RepositoryReads['changedEntries']>>[number];

export interface PushedWiki {
  commits: WikiCommit[];
  /** Files that look like pages, and are none. */
  noPages: string[];
}

/** The commits of a push, the first one first. @throws PushRefused */
export async function pushedWiki(
  updates: readonly RefUpdate[],
  about: {
    place: WikiPlace;
    reads: RepositoryReads;
    state: WikiState;
    mostPageBytes: number;
    newIds: (count: number) => Promise<number[]>;
  },
): Promise<PushedWiki> {
  const { place, reads, newIds } = about;
  const added = await linearCommits(updates, reads, { what: WHAT, ref: WIKI_REF, most: MOST_COMMITS });
  const bounds = new Bounds();
  const noPages = new Map<string, string>();
  const commits: WikiCommit[] = [];
  let state = about.state;
  for (const { oid, parent, text: pushed } of added) {
    const entries = await reads.changedEntries(parent, oid);
    bounds.change(entries.length);
    bounds.add(Buffer.byteLength(pushed));
    const reading = new CommitReading(about, state, bounds, noPages);
    const { pages, files } = await reading.read(entries);
    const ids = await newIds(pages.filter(({ wikiPageId }) => wikiPageId === NEW).length);
    const named = pages.map((page) =>
      page.wikiPageId === NEW ? { ...page, wikiPageId: ids.shift()! } : page,
    );
    const commit = { pushed, pages: named, files };
    const events = decided(place, commit, state);
    const tree = await reads.treeAfter({ parent, actions: treeActions(events, state) }).catch(() => null);
    if (!pushed.startsWith(`tree ${tree}\n`))
      throw new PushRefused(`The files of ${oid.slice(0, 8)} are in a form that a wiki cannot have.`);
    state = events.reduce((before, event) => wikiDecider.evolve(before, event), state);
    commits.push(commit);
  }
  // Later commits may have made pages of them, or removed them.
  const left = [...noPages].filter(([path]) => state.files.has(path)).map(([, reason]) => reason);
  return { commits, noPages: left };
}

/** Words for whoever pushed files that are no pages, though they look like some. */
export function noteOf(noPages: readonly string[]): string | undefined {
  if (noPages.length === 0) return undefined;
  const more = noPages.length - MOST_NAMED;
  return [...noPages.slice(0, MOST_NAMED), ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

/** @throws PushRefused where the wiki cannot have this commit */
function decided(place: WikiPlace, commit: WikiCommit, state: WikiState): readonly WikiEvent[] {
  try {
    return wikiDecider.decide({ type: 'PushWiki', ...place, commits: [commit] }, state);
  } catch (error) {
    throw error instanceof Rejection ? new PushRefused(wikiReasonOf(error)) : error;
  }
}

export function wikiReasonOf({ details, code }: Rejection): string {
  const fields = (details as { fields?: Record<string, string[]> } | undefined)?.fields ?? {};
  return Object.values(fields).flat().join(', ') || code;
}

/** Stands for the id of a page that begins here. */
const NEW = 0;

class Bounds {
  #bytes = 0;
  #changes = 0;

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MOST_BYTES)
      throw new PushRefused(
        `A push to a wiki brings ${MOST_BYTES} bytes at most: push fewer commits at once.`,
      );
  }

  change(count: number): void {
    this.#changes += count;
    if (this.#changes > MOST_CHANGES)
      throw new PushRefused(
        `A push to a wiki changes ${MOST_CHANGES} files at most: push fewer commits at once.`,
      );
  }
}

interface Wanted {
  slug: string;
  format: NonNullable<ReturnType<typeof pageAtPath>>['format'];
  content: string;
}

/** Tells pages from other files in what one commit changes. */
class CommitReading {
  readonly #reads: RepositoryReads;
  readonly #mostPageBytes: number;
  readonly #bounds: Bounds;
  readonly #noPages: Map<string, string>;
  readonly #files: WikiState['files'];
  /** Ids of pages by their slugs, as this commit has them so far. */
  readonly #bySlug: Map<string, number>;
  readonly #deleted: PageChange[] = [];
  readonly #updated: PageChange[] = [];
  readonly #created: PageChange[] = [];
  readonly #otherFiles: { path: string; content: string | null }[] = [];

  constructor(
    { reads, mostPageBytes }: { reads: RepositoryReads; mostPageBytes: number },
    { pages, files }: WikiState,
    bounds: Bounds,
    noPages: Map<string, string>,
  ) {
    this.#reads = reads;
    this.#mostPageBytes = mostPageBytes;
    this.#bounds = bounds;
    this.#noPages = noPages;
    this.#files = files;
    this.#bySlug = new Map(pages.entrySeq().map(([id, { slug }]) => [slug, id]));
  }

  /** What ends frees its slug for what begins; a page that stays keeps it. */
  async read(entries: readonly Entry[]): Promise<Pick<WikiCommit, 'pages' | 'files'>> {
    const by = (status: string) => entries.filter((entry) => entry.status === status);
    for (const { oldPath } of by('D')) this.#ends(oldPath);
    for (const entry of [...by('M'), ...by('T')]) await this.#changes(entry);
    const moves = by('R').map((entry) => ({ entry, id: this.#idAt(entry.oldPath) }));
    for (const { entry, id } of moves)
      if (id !== undefined) this.#bySlug.delete(pageAtPath(entry.oldPath)!.slug);
    for (const { entry, id } of moves) await this.#moves(entry, id);
    for (const entry of [...by('A'), ...by('C')]) await this.#begins(entry);
    return {
      pages: [...this.#deleted, ...this.#updated, ...this.#created],
      files: this.#otherFiles,
    };
  }

  #idAt(path: string): number | undefined {
    if (this.#files.has(path)) return undefined;
    const page = pageAtPath(path);
    return page && this.#bySlug.get(page.slug);
  }

  #ends(path: string): void {
    const id = this.#idAt(path);
    if (id === undefined) {
      this.#otherFiles.push({ path, content: null });
      return;
    }
    this.#bySlug.delete(pageAtPath(path)!.slug);
    this.#deleted.push({ wikiPageId: id, action: 'delete' });
  }

  async #changes(entry: Entry): Promise<void> {
    const id = this.#idAt(entry.newPath);
    const bytes = await this.#bytesOf(entry);
    const slug = pageAtPath(entry.newPath)?.slug ?? '';
    if (id !== undefined) this.#bySlug.delete(slug);
    const page = this.#pageOf(entry.newPath, bytes);
    if (id === undefined) {
      if (page) this.#otherFiles.push({ path: entry.newPath, content: null });
      this.#keep(entry.newPath, bytes, page);
    } else if (page) {
      this.#bySlug.set(slug, id);
      this.#updated.push({ wikiPageId: id, action: 'update', content: page.content });
    } else {
      this.#deleted.push({ wikiPageId: id, action: 'delete' });
      this.#keep(entry.newPath, bytes, undefined);
    }
  }

  async #moves(entry: Entry, id: number | undefined): Promise<void> {
    const { oldPath, newPath, aOid, bOid } = entry;
    const bytes = await this.#bytesOf(entry);
    const page = this.#pageOf(newPath, bytes);
    if (id !== undefined && page) {
      const { slug, format, content } = page;
      this.#bySlug.set(slug, id);
      const text = aOid === bOid ? undefined : content;
      this.#updated.push({ wikiPageId: id, action: 'update', slug, format, content: text });
      return;
    }
    if (id === undefined) this.#otherFiles.push({ path: oldPath, content: null });
    else this.#deleted.push({ wikiPageId: id, action: 'delete' });
    this.#keep(newPath, bytes, page);
  }

  async #begins(entry: Entry): Promise<void> {
    const bytes = await this.#bytesOf(entry);
    this.#keep(entry.newPath, bytes, this.#pageOf(entry.newPath, bytes));
  }

  /** A page that begins, or a file that is none. */
  #keep(path: string, bytes: Buffer, page: Wanted | undefined): void {
    if (page) {
      this.#bySlug.set(page.slug, NEW);
      this.#created.push({ wikiPageId: NEW, action: 'create', ...page });
    } else {
      const content = bytes.toString('base64');
      this.#bounds.add(content.length - bytes.length);
      this.#otherFiles.push({ path, content });
    }
  }

  /** The page that a file is; undefined for another file, with the reason kept where it looks like a page. */
  #pageOf(path: string, bytes: Buffer): Wanted | undefined {
    const place = pageAtPath(path);
    const problem = (reason: string) => {
      if (NO_PAGE.test(path)) this.#noPages.set(path, `${path} is kept, but is no page: ${reason}`);
      return undefined;
    };
    if (!place || slugOf(place.slug) !== place.slug || slugProblems(place.slug).length > 0)
      return problem('its name is not that of a page, such as Getting-started.md');
    const content = textOf(bytes);
    if (content === null) return problem('it is not a text in UTF-8');
    if (content.trim() === '') return problem('it is empty');
    const [tooLong] = textProblems(content, this.#mostPageBytes);
    if (tooLong !== undefined) throw new PushRefused(`${path} ${tooLong}`);
    if (this.#bySlug.has(place.slug)) return problem('another page has its name');
    return { ...place, content };
  }

  async #bytesOf({ newPath, bMode, bOid }: Entry): Promise<Buffer> {
    if (!isSafePath(newPath)) throw new PushRefused(`A file has a name that a wiki cannot have: ${newPath}`);
    requirePlain(newPath, bMode, WHAT);
    const size = (await this.#reads.objects.info(bOid))?.size ?? 0;
    if (size > MOST_FILE_BYTES)
      throw new PushRefused(
        `${newPath} is too long (${size} bytes). A file has ${MOST_FILE_BYTES} bytes at most.`,
      );
    this.#bounds.add(size);
    return this.#reads.objects.need(bOid, 'blob');
  }
}
