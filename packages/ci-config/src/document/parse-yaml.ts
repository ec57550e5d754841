import {
  type Alias,
  Composer,
  type CST,
  isAlias,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
  type Node as YamlNode,
} from 'yaml';
import { type Problems, Refusal } from '../problem.ts';
import { type Entry, listNode, type MapNode, mapNode, type Node, referenceNode, scalarNode } from './node.ts';
import { plainScalar } from './plain-scalar.ts';
import type { SourceFile } from './source-file.ts';

const CORE = 'tag:yaml.org,2002:';

export interface ParseBounds {
  depth: number;
  expandedSize: number;
}

/**
 * Reads one YAML file in linear time and memory. The depth is bounded before anything recurses, and aliases share nodes.
 * @throws Refusal
 */
export function parseYaml(file: SourceFile, bounds: ParseBounds, problems: Problems): Node {
  const root = compose(file, bounds);
  return new Reader(file, bounds, problems).read(root);
}

function compose(file: SourceFile, { depth }: ParseBounds): YamlNode | null {
  const tokens = tokensOf(file, depth);
  const [document, second] = new Composer({
    schema: 'failsafe',
    // The library compares keys in quadratic time; `Reader` does it in linear time.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  }).compose(tokens, true, file.text.length);
  const error = document?.errors[0];
  if (error) throw invalid(file, error.pos[0], error.message);
  if (second)
    throw invalid(file, second.range[0], 'a file holds one YAML document, and here a second begins');
  return document?.contents ?? null;
}

const invalid = (file: SourceFile, offset: number, reason: string) =>
  new Refusal({ file, offset }, `Invalid configuration format: ${reason}`);

function tokensOf(file: SourceFile, depth: number): CST.Token[] {
  const tokens: CST.Token[] = [];
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(file.text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > depth)
      throw new Refusal(
        { file, offset: parser.offset },
        `The parsed YAML is too big: lists and mappings are more than ${depth} levels deep`,
      );
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

class Reader {
  readonly #file: SourceFile;
  readonly #bounds: ParseBounds;
  readonly #problems: Problems;
  readonly #anchors = new Map<string, Node>();
  /** Entries copied by merge keys; aliases copy none. */
  #merged = 0;

  constructor(file: SourceFile, bounds: ParseBounds, problems: Problems) {
    this.#file = file;
    this.#bounds = bounds;
    this.#problems = problems;
  }

  read(yaml: YamlNode | null): Node {
    if (yaml === null) return scalarNode(null, '', this.#at(null));
    if (isAlias(yaml)) return this.#alias(yaml);
    const node = this.#value(yaml as Scalar | YAMLMap | YAMLSeq);
    this.#bound(node, node.size);
    // Set after reading, so an anchor cannot contain itself.
    if (yaml.anchor) this.#anchors.set(yaml.anchor, node);
    return node;
  }

  #at(yaml: YamlNode | null) {
    return { file: this.#file, offset: yaml?.range?.[0] ?? 0 };
  }

  #alias(yaml: Alias): Node {
    const node = this.#anchors.get(yaml.source);
    if (!node) throw invalid(this.#file, this.#at(yaml).offset, `unknown alias: ${yaml.source}`);
    return node;
  }

  #value(yaml: Scalar | YAMLMap | YAMLSeq): Node {
    const tag = yaml.tag?.startsWith(CORE) ? yaml.tag.slice(CORE.length) : yaml.tag;
    if (isScalar(yaml)) return this.#scalar(yaml, tag);
    if (isSeq(yaml)) return this.#list(yaml as YAMLSeq<YamlNode>, tag);
    if (tag !== undefined && tag !== 'map') throw this.#unknownTag(yaml, tag);
    return this.#map(yaml as YAMLMap<YamlNode, YamlNode | null>);
  }

  #unknownTag(yaml: YamlNode, tag: string) {
    return invalid(
      this.#file,
      this.#at(yaml).offset,
      `Unknown tag ${tag}; only !reference [job, keyword] is known`,
    );
  }

  #scalar(yaml: Scalar, tag: string | undefined): Node {
    const source = yaml.source ?? '';
    const at = this.#at(yaml);
    if (tag === 'str' || tag === '!') return scalarNode(source, source, at);
    if (tag === undefined ? yaml.type === 'PLAIN' : ['int', 'float', 'bool', 'null'].includes(tag))
      return scalarNode(plainScalar(source), source, at);
    if (tag === undefined) return scalarNode(source, source, at);
    throw this.#unknownTag(yaml, tag);
  }

  #list(yaml: YAMLSeq<YamlNode>, tag: string | undefined): Node {
    const items = yaml.items.map((item) => this.read(item));
    if (tag !== '!reference') {
      if (tag !== undefined && tag !== 'seq') throw this.#unknownTag(yaml, tag);
      return listNode(items, this.#at(yaml));
    }
    const path = items.map((item) => (item.kind === 'scalar' ? item.source : null));
    if (path.length === 0 || path.includes(null))
      throw new Refusal(
        this.#at(yaml),
        '!reference is not valid: it takes a list of names, as in !reference [job, script]',
      );
    return referenceNode(path as string[], this.#at(yaml));
  }

  #map(yaml: YAMLMap<YamlNode, YamlNode | null>): MapNode {
    const entries = new Map<string, Entry>();
    for (const { key: written, value } of yaml.items) {
      const place = this.#at(written);
      const key = this.#key(written);
      if (key === '<<' && isScalar(written) && written.type === 'PLAIN')
        this.#merge(entries, this.read(value));
      else {
        const earlier = entries.get(key)?.key;
        if (earlier)
          this.#problems.warn(
            place,
            `the key ${key} is written twice; what line ${this.#line(earlier.offset)} says of it does not count`,
          );
        entries.set(key, { value: this.read(value), key: place });
      }
    }
    return mapNode(entries, this.#at(yaml));
  }

  #line(offset: number) {
    return this.#file.lineAt(offset);
  }

  #key(yaml: YamlNode): string {
    const key = this.read(yaml);
    if (key.kind !== 'scalar')
      throw invalid(
        this.#file,
        this.#at(yaml).offset,
        'a key of a mapping is a text, not a list or a mapping',
      );
    return key.source;
  }

  /** Upstream's parser applies a merge in place: it overrides keys written above it. */
  #merge(entries: Map<string, Entry>, node: Node): void {
    const maps = node.kind === 'list' ? node.items.toReversed() : [node];
    for (const map of maps) {
      if (map.kind !== 'map')
        throw new Refusal(map, 'Invalid configuration format: `<<` merges mappings only');
      this.#merged += map.entries.size;
      this.#bound(map, this.#merged);
      for (const [key, entry] of map.entries) entries.set(key, entry);
    }
  }

  #bound(node: Node, size: number): void {
    if (size > this.#bounds.expandedSize)
      throw new Refusal(node, 'The parsed YAML is too big: its aliases stand for too much');
  }
}
