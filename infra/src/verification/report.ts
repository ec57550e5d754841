/** What a verification tells its reader while it runs, and what it found. */
export interface Report {
  /** Begins a part; what went before is finished. */
  part(name: string): void;
  /** How far the part has come. */
  progress(text: string): void;
  /** Something that must not be. */
  problem(text: string): void;
  /** Something worth knowing that is no problem. */
  note(text: string): void;
  readonly problems: readonly string[];
}

/** More of one part than this are counted, not shown. */
const SHOWN = 20;

/** A line a part, its problems below it; on a terminal the line shows how far it has come. */
export function createReport(output: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>): Report & { end(): void } {
  const problems: string[] = [];
  let name: string | undefined;
  let reached = '';
  let lines: string[] = [];
  let found = 0;

  function finish(): void {
    if (name === undefined) return;
    const verdict = found === 0 ? 'ok' : `${found} ${found === 1 ? 'problem' : 'problems'}`;
    output.write(`${output.isTTY ? '\r\x1b[K' : ''}${name.padEnd(14)}${reached.padEnd(50)} ${verdict}\n`);
    for (const line of lines) output.write(`  ${line}\n`);
    if (found > SHOWN) output.write(`  … and ${found - SHOWN} more\n`);
    name = undefined;
  }

  return {
    problems,
    part(next) {
      finish();
      [name, reached, lines, found] = [next, '', [], 0];
    },
    progress(text) {
      reached = text;
      if (output.isTTY) output.write(`\r\x1b[K${name?.padEnd(14)}${text}`);
    },
    problem(text) {
      problems.push(text);
      found += 1;
      if (found <= SHOWN) lines.push(text);
    },
    note: (text) => void lines.push(`(${text})`),
    end: finish,
  };
}
