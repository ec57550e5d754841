import { JOB_WHEN, type PathPatterns, type Rule, type RuleWhen } from '../configuration.ts';
import { isNull, type MapNode, type Node } from '../document/node.ts';
import { DURATIONS } from '../duration.ts';
import { type Expression, parseExpression } from '../expressions/expression.ts';
import { PATTERNS, RULES_DEPTH } from '../limits.ts';
import { compileGlob } from '../patterns/glob.ts';
import type { Location } from './location.ts';
import { attribute, boolean, duration, oneOf, part, type Reader, readFields, text, texts } from './reader.ts';
import { variables } from './variables.ts';

export const DELAY_LIMIT = { seconds: DURATIONS.WEEK, name: '1 week' };

const condition: Reader<Expression> = (node, at) => {
  const written = text(node, at);
  if (written === undefined) return undefined;
  return parseExpression(written) ?? at.error(node, 'invalid expression syntax');
};

/** Patterns may contain variables, which are expanded later. */
export const pathPatterns: Reader<PathPatterns> = (node, at) => {
  const list =
    node.kind === 'map' ? readFields(node, at, { paths: attribute(texts) }).paths : texts(node, at);
  if (!list) return undefined;
  if (list.length > PATTERNS) return at.error(node, `has too many patterns (maximum is ${PATTERNS})`);
  const wrong = list.find((pattern) => !pattern.includes('$') && !compileGlob(pattern));
  if (wrong !== undefined) return at.error(node, `has a pattern that nothing can match: ${wrong}`);
  return { patterns: list, place: { file: node.file, offset: node.offset } };
};

export interface RulesOptions {
  when: readonly RuleWhen[];
  /** Rules of a pipeline or include have no `allow_failure` and `start_in`. */
  ofPipeline: boolean;
}

export const JOB_RULES: RulesOptions = { when: [...JOB_WHEN, 'never'], ofPipeline: false };
export const PIPELINE_RULES: RulesOptions = { when: ['always', 'never'], ofPipeline: true };

export const rules =
  (options: RulesOptions): Reader<Rule[]> =>
  (node, at) => {
    if (node.kind !== 'list') return at.error(node, 'should be an array of hashes');
    return flattened(node, at, 0).flatMap((one) => rule(one, at.part('rule'), options) ?? []);
  };

/** `!reference` nests lists. */
function flattened(node: Node, at: Location, depth: number): MapNode[] {
  if (node.kind === 'map') return [node];
  if (node.kind !== 'list' || depth > RULES_DEPTH) {
    at.error(
      node,
      `should be an array containing hashes and arrays of hashes, up to ${RULES_DEPTH} levels deep`,
    );
    return [];
  }
  return node.items.flatMap((item) => flattened(item, at, depth + 1));
}

const COMMON = {
  if: attribute(condition),
  changes: part(pathPatterns),
  exists: part(pathPatterns),
  variables: part(variables),
};

function rule(node: MapNode, at: Location, { when: allowed, ofPipeline }: RulesOptions): Rule | undefined {
  if (node.entries.size === 0) return at.error(node, "can't be blank");
  const when = attribute(
    oneOf(allowed, `unknown value: ${writtenAt(node, 'when')}; it should be one of: ${allowed.join(', ')}`),
  );
  const fields = ofPipeline
    ? { ...COMMON, when }
    : {
        ...COMMON,
        when,
        allow_failure: attribute(boolean),
        start_in: attribute(duration(DELAY_LIMIT)),
      };
  const read = readFields(node, at, fields) as Partial<Rule> & { allow_failure?: boolean; start_in?: number };
  checkDelay(node, at, read.when === 'delayed');
  return {
    if: read.if ?? null,
    changes: read.changes ?? null,
    exists: read.exists ?? null,
    when: read.when ?? null,
    startIn: read.start_in ?? null,
    allowFailure: read.allow_failure ?? null,
    variables: read.variables ?? new Map(),
  };
}

const writtenAt = (node: MapNode, key: string) => {
  const value = node.entries.get(key)?.value;
  return value?.kind === 'scalar' ? value.source : 'not a text';
};

/** `start_in` and `when: delayed` need each other. */
export function checkDelay(node: MapNode, at: Location, isDelayed: boolean): void {
  const startIn = node.entries.get('start_in');
  if (isDelayed && isNull(startIn?.value)) at.attribute('start_in').error(node, 'should be a duration');
  if (!isDelayed && startIn && !isNull(startIn.value))
    at.attribute('start_in').error(startIn.value, 'must be blank');
}
