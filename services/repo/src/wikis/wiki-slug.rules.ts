import { isSafePath } from '@forgelog/git/trees/tree-path.ts';
import { hasOwnPath } from './wiki-page-path.ts';

/*
 * A slug is the path that the page's file has in a repository, without its ending: folders and title, with hyphens for
 * spaces. The title follows from it, as users of this API know it.
 */

/** Bytes of a title, and of a folder, with which a file of any markup still has a name. */
const MOST_TITLE_BYTES = 245;
const MOST_FOLDER_BYTES = 255;

/** The slug that a title, or a slug in another spelling, stands for; empty where nothing is left of it. */
export const slugOf = (title: string): string =>
  title
    .split('/')
    .map((segment) => segment.trim().replace(/\s+/g, ' '))
    .filter((segment) => segment !== '')
    .join('/')
    .replace(/[\s<>+]/g, '-');

export const titleOf = (slug: string): string => slug.slice(slug.lastIndexOf('/') + 1).replaceAll('-', ' ');

/** The slug after a page gets a title: without a slash it stays in its folder, `/` in front leads out of it. */
export function movedSlug(title: string, present: string): string {
  const slug = slugOf(title);
  const folder = present.slice(0, present.lastIndexOf('/') + 1);
  return slug === '' || title.trim().startsWith('/') || slug.includes('/') ? slug : folder + slug;
}

/** What is wrong with a slug, of the title that it stands for. */
export function slugProblems(slug: string): string[] {
  if (slug === '') return ["can't be blank"];
  const folders = slug.split('/');
  const title = folders.pop()!;
  const problems = folders
    .filter((folder) => Buffer.byteLength(folder) > MOST_FOLDER_BYTES)
    .map((folder) => `exceeds the limit of ${MOST_FOLDER_BYTES} bytes for directory name "${folder}"`);
  if (Buffer.byteLength(title) > MOST_TITLE_BYTES)
    problems.unshift(`exceeds the limit of ${MOST_TITLE_BYTES} bytes`);
  return problems.length === 0 && !(isSafePath(slug) && hasOwnPath(slug)) ? ['is invalid'] : problems;
}
