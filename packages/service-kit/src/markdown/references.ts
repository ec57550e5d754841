import type { Env, MarkdownIt, StateCore, Token } from 'markdown-it';

/** Something that a text names: `#1`, `KEY-1` elsewhere, `!2`, `@who`, `~label`, `%milestone` or a commit, in a project where it says so. */
export interface Reference {
  kind: 'issue' | 'external_issue' | 'merge_request' | 'user' | 'label' | 'milestone' | 'commit';
  /** A full path, or the path of a project beside this one; null for this one. */
  project: string | null;
  /** A number, a name or a commit's id. */
  name: string;
  /** One text for whatever is the same. */
  key: string;
}

/** Where a reference leads to, as its reader may know it. Each text is escaped when it is shown. */
export interface ReferenceLink {
  href: string;
  title: string;
  /** What follows the reference as it was written: the state of what is closed. */
  suffix?: string;
  attributes: Readonly<Record<string, string | number>>;
}

export type ReferenceLinks = ReadonlyMap<string, ReferenceLink>;

const PATH = '[A-Za-z0-9_][\\w.-]{0,254}(?:/[A-Za-z0-9_][\\w.-]{0,254}){0,20}';
/** Reads each run of the characters of a path once, from its beginning. */
const REFERENCE = new RegExp(
  [
    `(?:(?<![\\w./@#!~%&-])(?<project>${PATH}))?(?:${[
      '#(?<issue>\\d{1,9})\\b',
      '!(?<merge_request>\\d{1,9})\\b',
      '~"(?<quotedLabel>[^"\\n]{1,255})"',
      '~(?<label>[\\w?&][\\w?&.:-]{0,254})',
      '%"(?<quotedMilestone>[^"\\n]{1,255})"',
      '%(?<milestone>\\w[\\w.-]{0,254})',
      '@(?<commitThere>[0-9a-f]{7,40})\\b',
    ].join('|')})`,
    '(?<![\\w./@-])@(?<user>[A-Za-z0-9_][\\w./-]{0,254})',
    '(?<![\\w./@#-])(?<commit>[0-9a-f]{7,40})(?![\\w-])',
    '(?<![\\w./@#-])(?<external>[A-Z][A-Z0-9_]{1,49}-\\d{1,10})(?![\\w-])',
  ].join('|'),
  'g',
);
const BEFORE = /[\w&/#!~%@.-]/;
/** What ends a sentence is no part of a name. */
const SENTENCE_END = /[.:?/-]+$/;

/** A text names so many different things; others stay text. */
const MOST = 200;

interface Found extends Reference {
  index: number;
  length: number;
}

function* referencesIn(text: string): Generator<Found> {
  for (const { index, 0: whole, groups = {} } of text.matchAll(REFERENCE)) {
    const project = groups.project ?? null;
    const isAlone = project === null && !groups.user && !groups.commit && !groups.external;
    if (isAlone && index > 0 && BEFORE.test(text[index - 1]!)) continue;
    // Without a project, an `@` begins the name of a user.
    if (isAlone && groups.commitThere) {
      yield { ...referenceTo('user', null, groups.commitThere), index, length: whole.length };
      continue;
    }
    const [kind, name] = kindAndName(groups);
    const trimmed = name.isOpen ? name.text.replace(SENTENCE_END, '') : name.text;
    if (trimmed === '') continue;
    const length = whole.length - (name.text.length - trimmed.length);
    yield { ...referenceTo(kind, project, trimmed), index, length };
  }
}

const referenceTo = (kind: Reference['kind'], project: string | null, name: string): Reference => ({
  ...{ kind, project, name },
  key: `${kind} ${project ?? ''} ${name}`,
});

interface Name {
  text: string;
  /** Whether it ends where the sentence does, and not by a mark of its own. */
  isOpen: boolean;
}

const open = (text: string): Name => ({ text, isOpen: true });
const closed = (text: string): Name => ({ text, isOpen: false });

function kindAndName(groups: Record<string, string | undefined>): [Reference['kind'], Name] {
  if (groups.issue) return ['issue', closed(groups.issue)];
  if (groups.external) return ['external_issue', closed(groups.external)];
  if (groups.merge_request) return ['merge_request', closed(groups.merge_request)];
  if (groups.user) return ['user', open(groups.user)];
  if (groups.quotedLabel) return ['label', closed(groups.quotedLabel)];
  if (groups.label) return ['label', open(groups.label)];
  if (groups.quotedMilestone) return ['milestone', closed(groups.quotedMilestone)];
  if (groups.milestone) return ['milestone', open(groups.milestone)];
  return ['commit', closed((groups.commitThere ?? groups.commit)!)];
}

/** What a rendering keeps between its steps. */
export interface ReferenceEnvironment extends Env {
  /** What the text names, by key; absent where references stay text. */
  named?: Map<string, Reference>;
  links?: ReferenceLinks;
}

/** Finds references in texts, but not in code and links. They are shown as links where `env.links` has them. */
export function references(md: MarkdownIt): void {
  // Escaped characters are tokens of their own until texts are joined: `\#1` is no reference.
  md.core.ruler.before('text_join', 'references', (state) => {
    const { named: found } = state.env as ReferenceEnvironment;
    if (!found) return;
    for (const token of state.tokens)
      if (token.type === 'inline' && token.children) token.children = split(state, token.children, found);
  });
  md.renderer.rules.reference = (tokens, index, _options, env) => {
    const { content, info: key } = tokens[index]!;
    const { escapeHtml } = md.utils;
    const link = (env as ReferenceEnvironment | undefined)?.links?.get(key);
    if (!link) return escapeHtml(content);
    const attributes = {
      ...{ href: link.href, title: link.title, 'data-original': content },
      ...link.attributes,
    };
    const written = Object.entries(attributes).map(
      ([name, value]) => `${name}="${escapeHtml(String(value))}"`,
    );
    return `<a ${written.join(' ')}>${escapeHtml(content + (link.suffix ?? ''))}</a>`;
  };
}

function split(state: StateCore, children: Token[], found: Map<string, Reference>): Token[] {
  let depth = 0;
  return children.flatMap((child) => {
    if (child.type === 'link_open') depth += 1;
    if (child.type === 'link_close') depth -= 1;
    return child.type === 'text' && depth === 0 ? parts(state, child, found) : [child];
  });
}

function parts(state: StateCore, token: Token, found: Map<string, Reference>): Token[] {
  const { content } = token;
  const tokens: Token[] = [];
  let end = 0;
  const add = (type: string, text: string, key = ''): void => {
    const part = new state.Token(type, '', 0);
    Object.assign(part, { content: text, info: key, level: token.level });
    tokens.push(part);
  };
  for (const { index, length, ...reference } of referencesIn(content)) {
    const { key } = reference;
    if (!found.has(key)) {
      if (found.size >= MOST) break;
      found.set(key, reference);
    }
    if (index > end) add('text', content.slice(end, index));
    end = index + length;
    add('reference', content.slice(index, end), key);
  }
  if (tokens.length === 0) return [token];
  if (end < content.length) add('text', content.slice(end));
  return tokens;
}
