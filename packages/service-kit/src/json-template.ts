/**
 * Fills in placeholders: a letter for the kind, then an id. `u4` is the public view of user 4.
 * A record does not change when another stream (a user's name, a project's path) does, so such parts are filled in
 * when it is sent.
 */
export interface PlaceholderResolver {
  /**
   * JSON text for a whole value, or JSON-escaped content within a string.
   * @returns undefined when it is not in memory; `load` is then awaited once for all missing ones
   */
  resolve(placeholder: string): string | undefined;
  /** Texts by placeholder. A cache need not hold them: it keeps nothing whose read a change overlaps. */
  load(placeholders: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** JSON text with placeholders, kept as parts: rendering joins them without a search. */
export class JsonTemplate {
  /** Text; each odd index is a placeholder. */
  readonly #parts: string[] = [];
  #text = '';

  text(text: string): void {
    this.#text += text;
  }

  placeholder(placeholder: string): void {
    this.#parts.push(this.#text, placeholder);
    this.#text = '';
  }

  add(template: string | JsonTemplate): void {
    const parts =
      template instanceof JsonTemplate ? [...template.#parts, template.#text] : template.split('\u0001');
    for (const [at, part] of parts.entries()) {
      if (at % 2 === 0) this.text(part);
      else this.placeholder(part);
    }
  }

  /** Placeholders stand between two U+0001. JSON escapes U+0001, so user text cannot forge a placeholder. */
  toString(): string {
    return [...this.#parts, this.#text].join('\u0001');
  }

  render(resolver: PlaceholderResolver): string | Promise<string> {
    return renderParts([...this.#parts, this.#text], resolver);
  }
}

/** Synchronous when every placeholder is in memory, which is nearly always. */
export function renderTemplate(
  template: string | JsonTemplate,
  resolver: PlaceholderResolver,
): string | Promise<string> {
  return typeof template === 'string'
    ? renderParts(template.split('\u0001'), resolver)
    : template.render(resolver);
}

/** From this number of parts on, placeholders are likely to repeat. */
const MANY = 80;

function renderParts(parts: string[], resolver: PlaceholderResolver): string | Promise<string> {
  const known = parts.length > MANY ? new Map<string, string>() : undefined;
  let missing: number[] | undefined;
  for (let at = 1; at < parts.length; at += 2) {
    const placeholder = parts[at]!;
    const value = known?.get(placeholder) ?? resolver.resolve(placeholder);
    if (value === undefined) {
      missing ??= [];
      missing.push(at);
    } else {
      known?.set(placeholder, value);
      parts[at] = value;
    }
  }
  return missing === undefined ? concatenated(parts) : renderLoaded(parts, missing, resolver);
}

/** Concatenated strings are copied once, when they are sent; `join` copies them once more. */
function concatenated(parts: readonly string[]): string {
  let text = '';
  for (const part of parts) text += part;
  return text;
}

async function renderLoaded(
  parts: string[],
  missing: readonly number[],
  resolver: PlaceholderResolver,
): Promise<string> {
  const loaded = await resolver.load(missing.map((at) => parts[at]!));
  for (const at of missing) {
    const value = loaded.get(parts[at]!);
    if (value === undefined) throw new Error(`placeholder ${parts[at]} cannot be resolved`);
    parts[at] = value;
  }
  return concatenated(parts);
}

export const listTemplate = (items: readonly string[] | JsonTemplate): string | JsonTemplate =>
  items instanceof JsonTemplate ? items : `[${items.join(',')}]`;
