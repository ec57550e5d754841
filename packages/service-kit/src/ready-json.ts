import { randomBytes } from 'node:crypto';

/**
 * Ready JSON: the text that a read model stores and an answer sends. What depends on the deployment (host names),
 * on the caller, or on a record that another stream owns (a user's name, a project's path) is not stored but
 * referred to, as U+0001 kind id U+0001, and spliced in when sending. A raw U+0001 cannot occur in JSON text
 * otherwise (JSON escapes it), so nothing that a person writes can be taken for a reference.
 */

/** A whole JSON value that is spliced in: the public view of a user. */
export class ValueRef {
  readonly reference: string;
  constructor(reference: string) {
    this.reference = reference;
  }
  toJSON(): string {
    return `${NONCE}v${this.reference}${NONCE}`;
  }
}

/** Text with spliced parts: an address that holds the host's name and a project's path. */
export class TextRef {
  readonly parts: readonly string[];
  constructor(parts: readonly string[]) {
    this.parts = parts;
  }
  toJSON(): string {
    return this.parts.map((part, at) => (at % 2 === 0 ? part : `${NONCE}${part}${NONCE}`)).join('');
  }
}

// Random per process, so that no text from outside can hold it; it never reaches the stored text.
const NONCE = `\uE000${randomBytes(16).toString('hex')}\uE000`;
const VALUE = new RegExp(`"${NONCE}v([^"]*?)${NONCE}"`, 'g');

/** `text\`${'h'}/${'p7'}/-/issues/1\``: literal parts, and references in between. */
export function textRef(strings: TemplateStringsArray, ...references: string[]): TextRef {
  return new TextRef(
    strings.flatMap((literal, at) => (at < references.length ? [literal, references[at]!] : [literal])),
  );
}

/** The references that exist; each is resolved when sending. */
export const ref = {
  /** The external address of the instance, without a slash at the end. */
  host: 'h',
  /** Name of the host alone. */
  hostname: 'd',
  /** Full path of a project, of a namespace. */
  projectPath: (id: number) => `p${id}`,
  namespacePath: (id: number) => `n${id}`,
  /** Display name of a project with those of the namespaces above it. */
  projectFullName: (id: number) => `f${id}`,
  /** The namespace as records show it, null where it is gone. */
  namespace: (id: number): ValueRef => new ValueRef(`m${id}`),
  /** Display name of a namespace with those of the namespaces above it. */
  namespaceFullName: (id: number) => `g${id}`,
  /** Public view of a user, null where it is gone. */
  user: (id: number | null): ValueRef | null => (id === null ? null : new ValueRef(`u${id}`)),
  /** Any other value: `kind` is a letter that the owning service resolves. */
  value: (kind: string, id: string | number): ValueRef => new ValueRef(`${kind}${id}`),
  text: (kind: string, id: string | number): string => `${kind}${id}`,
};

/** Writes a value with references in it as ready JSON. */
export function writeReadyJson(value: unknown): string {
  return JSON.stringify(value).replace(VALUE, '\u0001$1\u0001').replaceAll(NONCE, '\u0001');
}

/** Gives the JSON text for a value reference, the JSON-escaped content of a string for a text reference. */
export interface ReferenceResolver {
  /** undefined when it is not at hand: `load` is then awaited once for all that are missing. */
  resolve(reference: string): string | undefined;
  load(references: readonly string[]): Promise<void>;
}

/**
 * Ready JSON in parts, for records whose text is put together when they are sent: what is text and what a reference
 * is known while writing, so that nothing is searched for, and one join makes the whole answer.
 */
export class ReadyParts {
  /** Text, and at each odd place a reference. */
  readonly #parts: string[] = [];
  /** What follows the last of them. */
  #text = '';

  /** Literal JSON: whatever a person wrote is in it as JSON escapes it. */
  text(text: string): void {
    this.#text += text;
  }

  reference(reference: string): void {
    this.#parts.push(this.#text, reference);
    this.#text = '';
  }

  /** The same as ready JSON in one text. */
  toString(): string {
    return [...this.#parts, this.#text].join('\u0001');
  }

  /** As it is sent. */
  render(resolver: ReferenceResolver): string | Promise<string> {
    return renderParts([...this.#parts, this.#text], resolver);
  }
}

/** Ready JSON as it is sent; at once where every reference is at hand, which is nearly always. */
export function renderReadyJson(
  ready: string | ReadyParts,
  resolver: ReferenceResolver,
): string | Promise<string> {
  return typeof ready === 'string' ? renderParts(ready.split('\u0001'), resolver) : ready.render(resolver);
}

/** More parts than one record has: many of the references among them will be the same. */
const MANY = 80;

/** @param parts text, and at each odd place a reference, which gives way to what it stands for */
function renderParts(parts: string[], resolver: ReferenceResolver): string | Promise<string> {
  const known = parts.length > MANY ? new Map<string, string>() : undefined;
  let missing: number[] | undefined;
  for (let at = 1; at < parts.length; at += 2) {
    const reference = parts[at]!;
    const value = known?.get(reference) ?? resolver.resolve(reference);
    if (value === undefined) {
      missing ??= [];
      missing.push(at);
    } else {
      known?.set(reference, value);
      parts[at] = value;
    }
  }
  return missing === undefined ? parts.join('') : renderLoaded(parts, missing, resolver);
}

async function renderLoaded(
  parts: string[],
  missing: readonly number[],
  resolver: ReferenceResolver,
): Promise<string> {
  await resolver.load(missing.map((at) => parts[at]!));
  for (const at of missing) {
    const value = resolver.resolve(parts[at]!);
    if (value === undefined) throw new Error(`reference ${parts[at]} cannot be resolved`);
    parts[at] = value;
  }
  return parts.join('');
}

/** A JSON array of ready JSON; parts are one already. */
export const readyList = (items: readonly string[] | ReadyParts): string | ReadyParts =>
  items instanceof ReadyParts ? items : `[${items.join(',')}]`;

/** Adds members to a JSON object in text, without parsing it. */
export function withMembers(objectText: string, members: Readonly<Record<string, unknown>>): string {
  const added = JSON.stringify(members);
  if (added === '{}') return objectText;
  return objectText === '{}' ? added : `${objectText.slice(0, -1)},${added.slice(1)}`;
}
