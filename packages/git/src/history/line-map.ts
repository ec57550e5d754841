/** A line of a diff. A side that lacks it has the number of the line that comes next there. */
export interface DiffLine {
  kind: 'added' | 'removed' | 'unchanged';
  oldLine: number;
  newLine: number;
}

interface Run {
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
}

const HEADER = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Knows the runs of replaced lines; everything between them is unchanged. */
export class LineMap {
  readonly #runs: readonly Run[];

  /** @param hunks as `DiffEntry.diff` has them */
  constructor(hunks: string) {
    this.#runs = runsOf(hunks);
  }

  /** @returns undefined if the line is removed */
  toNew(oldLine: number): number | undefined {
    let shift = 0;
    for (const { oldStart, oldCount, newCount } of this.#runs) {
      if (oldLine < oldStart) break;
      if (oldLine < oldStart + oldCount) return undefined;
      shift += newCount - oldCount;
    }
    return oldLine + shift;
  }

  /** @returns undefined if the line is added */
  toOld(newLine: number): number | undefined {
    let shift = 0;
    for (const { newStart, newCount, oldCount } of this.#runs) {
      if (newLine < newStart) break;
      if (newLine < newStart + newCount) return undefined;
      shift += oldCount - newCount;
    }
    return newLine + shift;
  }

  /**
   * The line of the diff that both numbers name: an added line has no old number, a removed one no new number, and an
   * unchanged one both. Undefined where there is no such line.
   */
  lineAt(oldLine: number | null, newLine: number | null): DiffLine | undefined {
    if (oldLine !== null && newLine !== null)
      return this.toNew(oldLine) === newLine ? { kind: 'unchanged', oldLine, newLine } : undefined;
    if (newLine !== null) {
      const run = this.#runs.find(
        ({ newStart, newCount }) => newLine >= newStart && newLine < newStart + newCount,
      );
      return run && { kind: 'added', oldLine: run.oldStart + run.oldCount, newLine };
    }
    const run = this.#runs.find(
      ({ oldStart, oldCount }) => oldLine !== null && oldLine >= oldStart && oldLine < oldStart + oldCount,
    );
    return run && { kind: 'removed', oldLine: oldLine!, newLine: run.newStart };
  }
}

function runsOf(hunks: string): Run[] {
  const runs: Run[] = [];
  let oldLine = 0;
  let newLine = 0;
  let run: Run | undefined;
  const inRun = () => {
    if (run) return run;
    run = { oldStart: oldLine, oldCount: 0, newStart: newLine, newCount: 0 };
    runs.push(run);
    return run;
  };
  for (const line of hunks.split('\n')) {
    switch (line[0]) {
      case '@': {
        const [, oldStart, newStart] = HEADER.exec(line) ?? [];
        // A side without lines is named by the line before it.
        oldLine = Number(oldStart) + (/^@@ -\d+,0 /.test(line) ? 1 : 0);
        newLine = Number(newStart) + (/^@@ -\S+ \+\d+,0 /.test(line) ? 1 : 0);
        run = undefined;
        break;
      }
      case '-':
        inRun().oldCount++;
        oldLine++;
        break;
      case '+':
        inRun().newCount++;
        newLine++;
        break;
      case ' ':
        run = undefined;
        oldLine++;
        newLine++;
        break;
      default: // `\ No newline at end of file`
    }
  }
  return runs;
}
