import type { Node } from '../document/node.ts';
import type { Location } from './location.ts';
import type { Reader } from './reader.ts';

const DEPTH = 10;

/** A script is a text or a list; `!reference` nests lists. */
export const script: Reader<string[]> = (node, at) => {
  const lines: string[] = [];
  return collect(node, lines, 0) ? lines : refused(node, at);
};

const refused = (node: Node, at: Location) =>
  at.error(wrongPart(node), `should be a string or a nested array of strings up to ${DEPTH} levels deep`);

function collect(node: Node, lines: string[], depth: number): boolean {
  if (node.kind === 'list') {
    if (depth >= DEPTH) return false;
    for (const item of node.items) if (!collect(item, lines, depth + 1)) return false;
    return true;
  }
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return false;
  lines.push(node.value);
  return true;
}

/** Finds the line that is not a text, such as `- echo: done`. */
function wrongPart(node: Node): Node {
  if (node.kind !== 'list') return node;
  const wrong = node.items.find((item) => !collect(item, [], 1));
  return wrong ?? node;
}
