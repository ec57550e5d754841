/** The output and the result of a verification. */
export interface Report {
  /** Starts a part and ends the one before. */
  part(name: string): void;
  progress(text: string): void;
  /** Reports a violation. */
  problem(text: string): void;
  /** Reports something worth knowing that is no problem. */
  note(text: string): void;
  readonly problems: readonly string[];
}

/** The most problems shown per part; further ones are only counted. */
const SHOWN = 20;

/** Prints a line per part with its problems below. On a terminal the line shows the progress. */
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
