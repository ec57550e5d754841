/** The output and the result of a verification. */
export interface Report {
  /** Starts a part and ends the one before. */
  part(name: string): void;
  progress(text: string): void;
  problem(text: string): void;
  /** Reports a difference that the next start mends by itself. */
  mends(text: string): void;
  /** Reports something worth knowing that is no problem. */
  note(text: string): void;
  readonly problems: readonly string[];
  readonly mended: readonly string[];
}

/** The most problems shown per part; further ones are only counted. */
const SHOWN = 20;

/** Prints a line per part with its problems below. On a terminal the line shows the progress. */
export function createReport(output: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>): Report & { end(): void } {
  const problems: string[] = [];
  const mended: string[] = [];
  let name: string | undefined;
  let reached = '';
  let lines: string[] = [];
  let found = 0;
  let shown = 0;

  function finish(): void {
    if (name === undefined) return;
    const verdict = found === 0 ? 'ok' : `${found} ${found === 1 ? 'problem' : 'problems'}`;
    output.write(`${output.isTTY ? '\r\x1b[K' : ''}${name.padEnd(14)}${reached.padEnd(50)} ${verdict}\n`);
    for (const line of lines) output.write(`  ${line}\n`);
    if (shown > SHOWN) output.write(`  … and ${shown - SHOWN} more\n`);
    name = undefined;
  }

  function show(text: string): void {
    shown += 1;
    if (shown <= SHOWN) lines.push(text);
  }

  return {
    problems,
    mended,
    part(next) {
      finish();
      [name, reached, lines, found, shown] = [next, '', [], 0, 0];
    },
    progress(text) {
      reached = text;
      if (output.isTTY) output.write(`\r\x1b[K${name?.padEnd(14)}${text}`);
    },
    problem(text) {
      problems.push(text);
      found += 1;
      show(text);
    },
    mends(text) {
      mended.push(text);
      show(text);
    },
    note: (text) => void lines.push(`(${text})`),
    end: finish,
  };
}
