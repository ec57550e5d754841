/**
 * Names of placeholders: a letter that its owner resolves, then an id. `u4` is the public view of user 4. What belongs to
 * another stream (a user's name, a project's path) can change without the record that shows it, so it is filled in
 * when the answer is sent.
 */
export interface PlaceholderResolver {
  /**
   * JSON text for a whole value, the JSON-escaped content of a string within a text.
   * @returns undefined when it is not at hand: `load` is then awaited once for all that are missing
   */
  resolve(placeholder: string): string | undefined;
  load(placeholders: readonly string[]): Promise<void>;
}

/** JSON text with placeholders in it, known apart while it is written: nothing is searched for, one join makes the answer. */
export class JsonTemplate {
  /** Text, and at each odd index a placeholder. */
  readonly #parts: string[] = [];
  /** The text that follows the last of them. */
  #text = '';

  /** Adds literal JSON. */
  text(text: string): void {
    this.#text += text;
  }

  placeholder(placeholder: string): void {
    this.#parts.push(this.#text, placeholder);
    this.#text = '';
  }

  /** Adds another template, in either form. */
  add(template: string | JsonTemplate): void {
    const parts =
      template instanceof JsonTemplate ? [...template.#parts, template.#text] : template.split('\u0001');
    for (const [at, part] of parts.entries()) {
      if (at % 2 === 0) this.text(part);
      else this.placeholder(part);
    }
  }

  /**
   * The template as one text, each placeholder between two U+0001, to be sent to another process. JSON escapes U+0001,
   * so no text of a person can pass for a placeholder.
   */
  toString(): string {
    return [...this.#parts, this.#text].join('\u0001');
  }

  render(resolver: PlaceholderResolver): string | Promise<string> {
    return renderParts([...this.#parts, this.#text], resolver);
  }
}

/** The JSON as it is sent; at once where every placeholder is at hand, which is nearly always. */
export function renderTemplate(
  template: string | JsonTemplate,
  resolver: PlaceholderResolver,
): string | Promise<string> {
  return typeof template === 'string'
    ? renderParts(template.split('\u0001'), resolver)
    : template.render(resolver);
}

/** From this many parts on, the same placeholder is likely to come again. */
const MANY = 80;

/** @param parts text, and at each odd index a placeholder, which is replaced */
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

/** Strings that are added up are copied once, when they are sent; `join` copies them once more. */
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
  await resolver.load(missing.map((at) => parts[at]!));
  for (const at of missing) {
    const value = resolver.resolve(parts[at]!);
    if (value === undefined) throw new Error(`placeholder ${parts[at]} cannot be resolved`);
    parts[at] = value;
  }
  return concatenated(parts);
}

/** A JSON array of templates; a template is one already. */
export const listTemplate = (items: readonly string[] | JsonTemplate): string | JsonTemplate =>
  items instanceof JsonTemplate ? items : `[${items.join(',')}]`;
