/** A line that begins with `/word`: `/assign @ada me`. */
export interface CommandLine {
  /** In lower case. */
  name: string;
  /** What follows, without blanks around it. */
  argument: string;
}

const LINE = /^\/([a-z_]+)(?:\s(.*))?$/is;
/** Most texts have no line that begins so. */
const MAY_HAVE = /^\//m;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const QUOTE = /^>>>[ \t]*\r?$/;
const OPENED = /^<(!--|[a-z][a-z0-9-]*)(?=[\s>]|$)/i;

/**
 * Takes the lines that are commands out of a text. Words that are no names stay text, and so does what is in code, in a
 * quote (`>>>`) or in HTML. A text without commands stays as it is; another one loses the blank lines around it.
 * @param names commands, in lower case
 * @param endings what follows a line instead of its command, by name: `/shrug Well` is `Well ¯\_(ツ)_/¯`
 */
export function splitCommands(
  text: string,
  names: ReadonlySet<string>,
  endings: ReadonlyMap<string, string>,
): { text: string; commands: CommandLine[] } {
  if (!MAY_HAVE.test(text)) return { text, commands: [] };
  const lines = text.split('\n');
  const lastAt = lastLines(lines);
  const commands: CommandLine[] = [];
  const kept: string[] = [];
  /** Whether a line ends the block that the text is in. */
  let ends: ((line: string) => boolean) | null = null;
  for (const [at, line] of lines.entries()) {
    if (ends) {
      if (ends(line)) ends = null;
      kept.push(line);
      continue;
    }
    ends = blockAt(line, at, lastAt);
    const command = ends ? undefined : commandIn(line);
    if (command && names.has(command.name)) commands.push(command);
    else if (command && endings.has(command.name))
      kept.push(`${command.argument} ${endings.get(command.name)}`.trimStart());
    else kept.push(line);
  }
  const rest = kept.join('\n');
  return { text: commands.length === 0 ? rest : rest.trim(), commands };
}

function commandIn(line: string): CommandLine | undefined {
  const found = line.startsWith('/') ? LINE.exec(line) : null;
  return found ? { name: found[1]!.toLowerCase(), argument: (found[2] ?? '').trim() } : undefined;
}

/** The number of the last line that could end a block, by what ends it. */
function lastLines(lines: readonly string[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const [at, line] of lines.entries()) {
    if (QUOTE.test(line)) last.set('>>>', at);
    if (line.includes('-->')) last.set('!--', at);
    const closed = /<\/([a-z][a-z0-9-]*)>[ \t]*\r?$/i.exec(line);
    if (closed) last.set(closed[1]!.toLowerCase(), at);
  }
  return last;
}

/** How the block ends that begins in this line; null where none does. Only code may be left open. */
function blockAt(
  line: string,
  at: number,
  lastAt: ReadonlyMap<string, number>,
): ((line: string) => boolean) | null {
  const fence = FENCE.exec(line)?.[1];
  if (fence) {
    const closing = new RegExp(`^ {0,3}${fence[0]}{${Math.min(fence.length, 1_000)},}[ \\t]*\\r?$`);
    return (later) => closing.test(later);
  }
  const isLater = (ending: string) => (lastAt.get(ending) ?? -1) > at;
  if (QUOTE.test(line)) return isLater('>>>') ? (later) => QUOTE.test(later) : null;
  const tag = OPENED.exec(line)?.[1]?.toLowerCase();
  if (tag === undefined || !isLater(tag)) return null;
  const end = tag === '!--' ? '-->' : `</${tag}>`;
  return line.includes(end) ? null : (later) => later.toLowerCase().includes(end);
}
