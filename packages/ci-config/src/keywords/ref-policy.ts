import type { RefPolicy } from '../configuration.ts';
import type { Node } from '../document/node.ts';
import { type Expression, parseExpression } from '../expressions/expression.ts';
import { compilePattern } from '../patterns/regular-expression.ts';
import type { Location } from './location.ts';
import { attribute, oneOf, part, type Reader, readFields, texts, textsIn } from './reader.ts';
import { pathPatterns } from './rules.ts';

const EXPECTED = 'should be an array of strings or regular expressions using re2 syntax';
const REF = /^(\/.+?\/[imsU]*)(?:@(.+))?$/s;

/** Splits `main@group/project`. The ref is a name, a keyword or a pattern. */
export function splitRef(written: string): { ref: string; project: string | null } {
  const [, pattern, ofPattern] = REF.exec(written) ?? [];
  if (pattern !== undefined) return { ref: pattern, project: ofPattern ?? null };
  const at = written.indexOf('@');
  return at === -1
    ? { ref: written, project: null }
    : { ref: written.slice(0, at), project: written.slice(at + 1) };
}

const refs: Reader<string[]> = (node, at) => {
  const list = textsIn(node);
  if (!list) return at.error(node, EXPECTED);
  const wrong = list.find((one) => one.startsWith('/') && !compilePattern(splitRef(one).ref));
  return wrong === undefined ? list : at.error(node, `${EXPECTED}: ${wrong} is none`);
};

const expressions: Reader<Expression[]> = (node, at) =>
  texts(node, at)?.flatMap(
    (written) => parseExpression(written) ?? at.error(node, `Invalid expression syntax: ${written}`) ?? [],
  );

export const DEFAULT_ONLY: readonly string[] = ['branches', 'tags'];

const policy =
  (defaults: readonly string[] | null): Reader<RefPolicy> =>
  (node, at) => {
    if (node.kind === 'list') return ofRefs(node, at);
    if (node.kind !== 'map') return at.error(node, 'has to be either an array of conditions or a hash');
    const read = readFields(node, at, {
      refs: attribute(refs),
      kubernetes: attribute(oneOf(['active'])),
      variables: attribute(expressions),
      changes: part(pathPatterns),
    });
    if (node.entries.size === 0) return at.error(node, "can't be blank");
    return {
      refs: read.refs ?? defaults ?? [],
      kubernetes: read.kubernetes === 'active',
      variables: read.variables ?? [],
      changes: read.changes ?? null,
      has: { refs: (read.refs ?? defaults) !== null, variables: read.variables !== undefined },
    };
  };

function ofRefs(node: Node, at: Location): RefPolicy | undefined {
  const list = refs(node, at);
  return (
    list && {
      refs: list,
      kubernetes: false,
      variables: [],
      changes: null,
      has: { refs: true, variables: false },
    }
  );
}

/** `only` without refs means branches and tags. */
export const only = policy(DEFAULT_ONLY);
export const except = policy(null);

export const DEFAULT_POLICY: RefPolicy = {
  refs: DEFAULT_ONLY,
  kubernetes: false,
  variables: [],
  changes: null,
  has: { refs: true, variables: false },
};
