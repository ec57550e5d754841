import type { Parallel } from '../configuration.ts';
import type { MapNode } from '../document/node.ts';
import { PARALLEL_JOBS } from '../limits.ts';
import type { Location } from './location.ts';
import { integer, listOf, part, type Reader, readFields } from './reader.ts';
import { matrixRow } from './variables.ts';

type Row = ReadonlyMap<string, readonly string[]>;

const row: Reader<Row> = (node, at) =>
  node.kind === 'map' ? matrixRow(node, at) : at.error(node, 'should be an array of hashes');

const copiesOf = (one: Row) => [...one.values()].reduce((product, values) => product * values.length, 1);

/** A number of copies, or one copy for each combination of values. */
export const parallel: Reader<Parallel> = (node, at) => {
  if (node.kind === 'map') return matrix(node, at);
  if (node.kind !== 'scalar' || typeof node.value !== 'number')
    return at.error(node, 'should be an integer or a hash');
  const total = integer(1, PARALLEL_JOBS)(node, at);
  return total === undefined ? undefined : { kind: 'count', total };
};

function matrix(node: MapNode, at: Location): Parallel | undefined {
  const { matrix: rows } = readFields(node, at, {
    matrix: part(listOf(row, 'should be an array of hashes')),
  });
  if (!rows)
    return node.entries.has('matrix') ? undefined : at.error(node, 'is missing required keys: matrix');
  const total = rows.reduce((sum, one) => sum + copiesOf(one), 0);
  if (total === 0) return at.part('matrix').error(node, 'requires at least 1 item');
  if (total > PARALLEL_JOBS)
    return at.part('matrix').error(node, `generates too many jobs (maximum is ${PARALLEL_JOBS})`);
  return { kind: 'matrix', copies: rows.flatMap(combinations) };
}

/** The last variable changes fastest. */
function combinations(one: Row): Map<string, string>[] {
  let found: Map<string, string>[] = [new Map()];
  for (const [key, values] of one)
    found = found.flatMap((before) => values.map((value) => new Map([...before, [key, value]])));
  return found;
}
