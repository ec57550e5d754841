/** Values by key. Of several layers the last one with a key wins. */
export type Layer = ReadonlyMap<string, string>;

/** Circular variables, or a text that is unusable when expanded. */
export class ExpansionError extends Error {}

const REFERENCE = /\$\$|%%|\$([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)\}|%([A-Za-z_]\w*)%/g;
const DEPTH = 100;
/** Bound of all values together, in multiples of the bound of one. */
const TOGETHER = 16;

export interface ExpandOptions {
  /** Keeps undefined variables as they are written instead of removing them. */
  keepUnknown?: boolean;
}

/**
 * Variables of one job or pipeline, expanded on demand. `$$` and `%%` stay as they are: the runner expands last, and
 * reads them as escapes.
 */
export class VariableScope {
  readonly #layers: readonly Layer[];
  readonly #longest: number;
  readonly #expanded = new Map<string, string>();
  readonly #open: string[] = [];
  #length = 0;

  constructor(layers: readonly Layer[], longest: number) {
    this.#layers = layers;
    this.#longest = longest;
  }

  /** Returns the value before expansion. */
  written(key: string): string | undefined {
    for (let index = this.#layers.length - 1; index >= 0; index -= 1) {
      const value = this.#layers[index]!.get(key);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /**
   * Returns the expanded value, or undefined for an unknown key.
   * @throws ExpansionError
   */
  value(key: string): string | undefined {
    const known = this.#expanded.get(key);
    if (known !== undefined) return known;
    const written = this.written(key);
    if (written === undefined) return undefined;
    if (this.#open.length >= DEPTH)
      throw new ExpansionError(`variables refer to each other more than ${DEPTH} levels deep: ${key}`);
    this.#open.push(key);
    try {
      const value = this.expand(written, { keepUnknown: true });
      this.#length += value.length;
      if (this.#length > TOGETHER * this.#longest) throw tooLong();
      this.#expanded.set(key, value);
      return value;
    } finally {
      this.#open.pop();
    }
  }

  /** @throws ExpansionError */
  expand(text: string, { keepUnknown = false }: ExpandOptions = {}): string {
    if (!text.includes('$') && !text.includes('%')) return text;
    const parts: string[] = [];
    let length = 0;
    let at = 0;
    const add = (part: string) => {
      length += part.length;
      if (length > this.#longest) throw tooLong();
      parts.push(part);
    };
    for (const match of text.matchAll(REFERENCE)) {
      add(text.slice(at, match.index));
      add(this.#referred(match, keepUnknown));
      at = match.index + match[0].length;
    }
    add(text.slice(at));
    return parts.join('');
  }

  #referred([written, plain, braced, percent]: RegExpExecArray, keepUnknown: boolean): string {
    const key = plain ?? braced ?? percent;
    if (key === undefined) return written;
    // `PATH: $PATH:/opt` names itself; only the runner knows the earlier value.
    if (key === this.#open.at(-1)) return written;
    if (this.#open.includes(key))
      throw new ExpansionError(
        `circular variable reference detected: ${JSON.stringify(this.#open.slice(this.#open.indexOf(key)))}`,
      );
    return this.value(key) ?? (keepUnknown ? written : '');
  }
}

const tooLong = () => new ExpansionError('the text is too long with its variables expanded');
