import MarkdownIt from 'markdown-it';

/** Other text for lines around the one that a note is on. */
export interface SuggestionBlock {
  /** Lines before that one, and after it. */
  above: number;
  below: number;
  /** With the end of its last line; empty where the lines go. */
  content: string;
}

/** Lines on either side. */
const MOST_LINES = 100;
/** Blocks of one note that are suggestions. */
export const MOST_BLOCKS = 100;
/** In characters: longer texts take too long to read. */
const LONGEST = 100_000;

/** Only what says where code is: fences may be in lists and quotes, and a fence may hold shorter ones. */
const markdown = new MarkdownIt('zero').enable(['fence', 'code', 'list', 'blockquote', 'html_block']);
const INFO = /^suggestion(?::(?:-(\d{1,9}))?(?:\+(\d{1,9}))?)?(?:\s|$)/;

/** Whether a text may hold such blocks: nearly no text does. */
export const maySuggest = (text: string): boolean => text.includes('suggestion');

/** The blocks of a text that begin with `suggestion` or `suggestion:-1+2`, in their order. */
export function suggestionBlocks(text: string): SuggestionBlock[] {
  if (text.length > LONGEST || !maySuggest(text)) return [];
  return markdown
    .parse(text, {})
    .flatMap(({ type, info, content }) => {
      const [found, above = '0', below = '0'] = (type === 'fence' && INFO.exec(info.trim())) || [];
      if (found === undefined) return [];
      return [{ above: bounded(above), below: bounded(below), content }];
    })
    .slice(0, MOST_BLOCKS);
}

const bounded = (digits: string) => Math.min(Number(digits), MOST_LINES);
