const END = 0x0a;
const CR = 0x0d;

export interface LineEdit {
  /** Numbers of the first and the last line, from 1. */
  from: number;
  to: number;
  /** Takes their place; empty removes them. */
  content: string;
}

/** The lines of a file, with their ends; the last one may have none. */
export function linesOf(content: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < content.length; ) {
    const end = content.indexOf(END, at);
    const next = end < 0 ? content.length : end + 1;
    lines.push(content.subarray(at, next));
    at = next;
  }
  return lines;
}

/** Bytes of other lines stay as they are, whatever they encode. Returns undefined where an edit begins after the last line. */
export function withEdits(content: Buffer, edits: readonly LineEdit[]): Buffer | undefined {
  const lines = linesOf(content);
  for (const { from, to, content: text } of edits.toSorted((a, b) => b.from - a.from)) {
    if (from > lines.length) return undefined;
    const replaced = lines.slice(from - 1, to);
    lines.splice(from - 1, replaced.length, Buffer.from(likeThese(text, replaced)));
  }
  return Buffer.concat(lines);
}

/** The text with the line ends of the lines that it replaces. */
function likeThese(text: string, replaced: readonly Buffer[]): string {
  const isWindows = replaced.some((line) => line.at(-1) === END && line.at(-2) === CR);
  const lines = isWindows ? text.replace(/\r?\n/g, '\r\n') : text;
  // A file whose last line has no end keeps it so.
  return replaced.at(-1)?.at(-1) === END ? lines : lines.replace(/\r?\n$/, '');
}
