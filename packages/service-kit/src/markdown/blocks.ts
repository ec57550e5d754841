import type { MarkdownIt, StateCore, Token } from 'markdown-it';

/** Ids in pages are known to scripts by name: this keeps those of texts apart. */
const PREFIX = 'user-content-';
const NOT_IN_ANCHORS = /[^\p{L}\p{N}\p{M}_ -]/gu;

/** Each heading has an anchor of its text; the second of a text gets a number. */
export function headingAnchors(md: MarkdownIt): void {
  md.core.ruler.push('heading_anchors', (state) => {
    const seen = new Map<string, number>();
    for (const [at, token] of state.tokens.entries()) {
      if (token.type !== 'heading_open') continue;
      const inline = state.tokens[at + 1];
      const slug = slugOf(inline?.children ?? []);
      if (!inline?.children || slug === '') continue;
      const before = seen.get(slug) ?? 0;
      seen.set(slug, before + 1);
      const anchor = before === 0 ? slug : `${slug}-${before}`;
      const { escapeHtml } = md.utils;
      inline.children.unshift(
        raw(
          state,
          `<a id="${PREFIX}${escapeHtml(anchor)}" class="anchor" href="#${encodeURIComponent(anchor)}" aria-hidden="true"></a>`,
        ),
      );
    }
  });
}

function slugOf(children: readonly Token[]): string {
  const text = children
    .filter(({ type }) => ['text', 'text_special', 'code_inline', 'reference'].includes(type))
    .map(({ content }) => content)
    .join('');
  return text.toLowerCase().replace(NOT_IN_ANCHORS, '').trim().replaceAll(' ', '-').slice(0, 255);
}

const TASK = /^\[([ xX])\] /;

/** `- [x] done` is an item with a box that nobody can click. */
export function taskLists(md: MarkdownIt): void {
  md.core.ruler.after('inline', 'task_lists', (state) => {
    const lists: Token[] = [];
    for (const [at, token] of state.tokens.entries()) {
      if (token.type.endsWith('_list_open')) lists.push(token);
      if (token.type.endsWith('_list_close')) lists.pop();
      const [item, paragraph] = [state.tokens[at - 2], state.tokens[at - 1]];
      if (token.type !== 'inline' || paragraph?.type !== 'paragraph_open') continue;
      const first = token.children?.[0];
      const [mark, box] = (first?.type === 'text' && TASK.exec(first.content)) || [];
      if (item?.type !== 'list_item_open' || mark === undefined) continue;
      item.attrJoin('class', 'task-list-item');
      const list = lists.at(-1)!;
      if (list.attrGet('class') === null) list.attrSet('class', 'task-list');
      first!.content = first!.content.slice(mark.length);
      const checked = box === ' ' ? '' : ' checked';
      token.children!.unshift(
        raw(state, `<input type="checkbox" class="task-list-item-checkbox" disabled${checked}> `),
      );
    }
  });
}

const UPLOAD = /^\/uploads\/[0-9a-f]{32}\//;
const ELSEWHERE = /^(?:https?:)?\/\//i;

export interface LinkEnvironment {
  /** Where the project is whose text it is. */
  projectUrl?: string | null;
  /** Links to other hosts tell them nothing. */
  externalUrl?: string;
}

/** Uploads lie below their project, and links to other hosts say so. */
export function links(md: MarkdownIt): void {
  md.core.ruler.push('links', ({ tokens, env }) => {
    const { projectUrl, externalUrl } = env as LinkEnvironment;
    for (const child of tokens.flatMap(({ children }) => children ?? [])) {
      const name = child.type === 'image' ? 'src' : 'href';
      if (child.type !== 'image' && child.type !== 'link_open') continue;
      const address = String(child.attrGet(name) ?? '');
      if (projectUrl && UPLOAD.test(address)) child.attrSet(name, projectUrl + address);
      const isHere = externalUrl !== undefined && `${address}/`.startsWith(`${externalUrl}/`);
      if (name === 'href' && ELSEWHERE.test(address) && !isHere) {
        child.attrSet('rel', 'nofollow noreferrer noopener');
        child.attrSet('target', '_blank');
      }
    }
  });
}

/** HTML that is ours. */
function raw(state: StateCore, html: string): Token {
  const token = new state.Token('html_inline', '', 0);
  token.content = html;
  return token;
}
