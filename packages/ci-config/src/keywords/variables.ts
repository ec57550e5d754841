import type { RootVariable } from '../configuration.ts';
import { isNull, type MapNode, type Node } from '../document/node.ts';
import type { Location } from './location.ts';
import { attribute, type Reader, readFields, scalarText } from './reader.ts';

const EXPECTED = 'should be a hash of key value pairs';
/** Keeps the written text: `1.10` does not become 1.1, nor `yes` true. */
const scalar: Reader<string> = (node, at) => scalarText(node) ?? at.error(node, EXPECTED);

export const variables: Reader<Map<string, string>> = (node, at) => {
  if (node.kind !== 'map') return at.error(node, EXPECTED);
  const found = new Map<string, string>();
  for (const [key, { value }] of node.entries) {
    const read = scalarText(value);
    if (read === null) at.error(value, `${EXPECTED}; ${key} is none`);
    else found.set(key, read);
  }
  return found;
};

/** Root variables may have a description. */
export const rootVariables: Reader<Map<string, RootVariable>> = (node, at) => {
  if (node.kind !== 'map') return at.error(node, `${EXPECTED}, value can be a hash`);
  const found = new Map<string, RootVariable>();
  for (const [key, { value }] of node.entries) {
    const variable = rootVariable(key, value, at);
    if (variable) found.set(key, variable);
  }
  return found;
};

function rootVariable(key: string, node: Node, at: Location): RootVariable | undefined {
  if (node.kind === 'map') {
    const { value = '', description = null } = readFields(node, at.part(key), {
      value: attribute(scalar),
      description: attribute(scalar),
    });
    return { value, description };
  }
  const value = scalarText(node);
  return value === null
    ? at.error(node, `${EXPECTED}, value can be a hash; ${key} is neither`)
    : { value, description: null };
}

/** One row of `parallel:matrix`: a value or several for each variable. */
export function matrixRow(node: MapNode, at: Location): Map<string, readonly string[]> | undefined {
  const row = new Map<string, readonly string[]>();
  for (const [key, { value }] of node.entries) {
    const items = value.kind === 'list' ? value.items : [value];
    const values = items.map(scalarText);
    if (values.length === 0 || values.includes(null) || isNull(value))
      return at.error(
        value,
        `should be a hash of key value pairs, where a value is a text or an array of texts; ${key} is not`,
      );
    row.set(key, values as string[]);
  }
  return row.size === 0 ? at.error(node, 'requires at least 1 item') : row;
}
