import type { WikiFormat } from '@forgelog/contracts/repo/wikis/wiki-page.api.ts';
import type { FileAction } from '@forgelog/git/trees/tree-editor.ts';
import type { WikiEvent, WikiState } from './wiki.decider.ts';
import { pagePath } from './wiki-page-path.ts';

/** What events of one commit do with the tree of the wiki. What ends comes first, so that others may take its place. */
export function treeActions(events: readonly WikiEvent[], { pages, files }: WikiState): FileAction[] {
  const ended: FileAction[] = [];
  const moved: FileAction[] = [];
  const written: FileAction[] = [];
  const paths = new Map<number, { slug: string; format: WikiFormat }>();
  const pageOf = (id: number) => paths.get(id) ?? pages.get(id)!;
  for (const { data } of events) {
    if ('pushed' in data)
      for (const { path, content } of data.files) {
        const isThere = files.has(path);
        if (content !== null)
          written.push({
            action: isThere ? 'update' : 'create',
            path,
            content: Buffer.from(content, 'base64'),
          });
        else if (isThere) ended.push({ action: 'delete', path });
      }
    else if ('slug' in data) {
      const { slug, format, content } = data;
      written.push({ action: 'create', path: pagePath(slug, format), content: Buffer.from(content) });
    } else if ('changes' in data) {
      const before = pageOf(data.wikiPageId);
      const after = { ...before, ...data.changes };
      paths.set(data.wikiPageId, after);
      const [previousPath, path] = [before, after].map((page) => pagePath(page.slug, page.format)) as [
        string,
        string,
      ];
      if (path !== previousPath) moved.push({ action: 'move', path, previousPath });
    } else if ('content' in data) {
      const { slug, format } = pageOf(data.wikiPageId);
      written.push({ action: 'update', path: pagePath(slug, format), content: Buffer.from(data.content) });
    } else {
      const { slug, format } = pageOf(data.wikiPageId);
      ended.push({ action: 'delete', path: pagePath(slug, format) });
    }
  }
  return [...ended, ...moved, ...written];
}
