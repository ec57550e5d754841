import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import MarkdownIt from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { headingAnchors, type LinkEnvironment, links, taskLists } from './blocks.ts';
import { type Reference, type ReferenceEnvironment, type ReferenceLinks, references } from './references.ts';

/** HTML in the text is shown as text, and links have only schemes that run nothing: no output needs cleaning. */
const renderer = new MarkdownIt({ html: false, linkify: true })
  .use(footnotes)
  .use(taskLists)
  .use(references)
  .use(headingAnchors)
  .use(links);

/** In characters. Texts made for it take 0.6 s, which nobody else is served in; common ones 0.1 s. */
export const LONGEST_MARKDOWN = 100_000;
/** In characters. Texts of a line are rendered where nothing can wait. */
const LONGEST_LINE = 2_000;

const cache = (maxSize: number) =>
  new LRUCache<string, string>({
    maxSize,
    sizeCalculation: (html, text) => html.length + text.length + 1,
  });
const kept = cache(16_000_000);
const keptLines = cache(2_000_000);

export interface MarkdownContext extends LinkEnvironment {
  /** Finds what the text names, as its reader may know it. Without it references stay text. */
  resolve?: (references: readonly Reference[]) => Promise<ReferenceLinks>;
}

const { escapeHtml } = renderer.utils;

/** Longer texts stay as they are, escaped. Others get their turn between two texts of a list. */
export async function markdownToHtml(
  text: string,
  { resolve, ...context }: MarkdownContext = {},
): Promise<string> {
  const key = `${context.projectUrl ?? ''} ${context.externalUrl ?? ''} ${text}`;
  const known = resolve ? undefined : kept.get(key);
  if (known !== undefined) return known;
  await setImmediate();
  if (text.length > LONGEST_MARKDOWN) return `<pre>${escapeHtml(text)}</pre>\n`;
  const environment: ReferenceEnvironment = { ...context, ...(resolve && { named: new Map() }) };
  const tokens = renderer.parse(text, environment);
  if (resolve && environment.named!.size > 0)
    environment.links = await resolve([...environment.named!.values()]);
  const html = renderer.renderer.render(tokens, renderer.options, environment);
  if (!resolve) kept.set(key, html);
  return html;
}

/** A short text without blocks: emphasis, code and links. Longer ones stay as they are, escaped. */
export function lineToHtml(text: string): string {
  const known = keptLines.get(text);
  if (known !== undefined) return known;
  const html = text.length > LONGEST_LINE ? escapeHtml(text) : renderer.renderInline(text);
  keptLines.set(text, html);
  return html;
}
