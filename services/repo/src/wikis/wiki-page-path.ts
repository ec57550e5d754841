import { createHash } from 'node:crypto';
import type { WikiFormat } from '@forgelog/contracts/repo/wikis/wiki-page.api.ts';
import { isSafePath } from '@forgelog/git/trees/tree-path.ts';

/*
 * Where pages lie in the repository of their wiki: at their slug with the ending of their markup. A folder never ends like
 * a page, so that no page is where another has a folder: `a.md` is `a.md-` as a folder, and `a.md-` is `a.md--`.
 */

const ENDINGS: Readonly<Record<WikiFormat, string>> = {
  markdown: 'md',
  rdoc: 'rdoc',
  asciidoc: 'asciidoc',
  org: 'org',
};
const PAGE = /^(.+)\.(md|rdoc|asciidoc|org)$/s;
const LIKE_A_PAGE = /\.(?:md|rdoc|asciidoc|org)-*$/;

/** The folder of slugs that are too long for a path. Pages of 0.1.0 may have some. */
const LONG = 'long-names';

export function pagePath(slug: string, format: WikiFormat): string {
  const path = plainPath(slug, format);
  if (isSafePath(path)) return path;
  return `${LONG}/${createHash('sha256').update(slug).digest('hex')}.${ENDINGS[format]}`;
}

/** Whether a page has its own slug as its path, whatever its markup. */
export const hasOwnPath = (slug: string): boolean => isSafePath(plainPath(slug, 'asciidoc'));

/** The page that would lie at this path; undefined for a path that is not of the form of pages. */
export function pageAtPath(path: string): { slug: string; format: WikiFormat } | undefined {
  const [, before, ending] = PAGE.exec(path) ?? [];
  if (before === undefined || before.endsWith('/')) return undefined;
  const folders = before.split('/');
  const title = folders.pop()!;
  const slug = [...folders.map((one) => (LIKE_A_PAGE.test(one) ? one.slice(0, -1) : one)), title].join('/');
  const format = (Object.keys(ENDINGS) as WikiFormat[]).find((one) => ENDINGS[one] === ending)!;
  return plainPath(slug, format) === path ? { slug, format } : undefined;
}

function plainPath(slug: string, format: WikiFormat): string {
  const folders = slug.split('/');
  const title = folders.pop()!;
  const escaped = folders.map((folder) => (LIKE_A_PAGE.test(folder) ? `${folder}-` : folder));
  return [...escaped, `${title}.${ENDINGS[format]}`].join('/');
}
