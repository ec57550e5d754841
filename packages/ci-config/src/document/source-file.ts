/** A configuration file, named as in errors. */
export class SourceFile {
  readonly name: string;
  readonly text: string;
  #lineStarts: number[] | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  /** Returns the line of an offset, from 1. */
  lineAt(offset: number): number {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  #starts(): number[] {
    if (this.#lineStarts) return this.#lineStarts;
    const starts = [0];
    for (let at = this.text.indexOf('\n'); at !== -1; at = this.text.indexOf('\n', at + 1))
      starts.push(at + 1);
    this.#lineStarts = starts;
    return starts;
  }
}

/** Where a value was written. */
export interface Place {
  file: SourceFile;
  offset: number;
}
