import { Document, Pair, Scalar, YAMLMap, YAMLSeq, type Node as YamlNode } from 'yaml';
import type { Node } from './node.ts';
import { plainScalar } from './plain-scalar.ts';

/** The printed YAML reads as the same value again. */
export function printYaml(node: Node): string {
  const document = new Document<YamlNode>(null, { schema: 'failsafe' });
  document.contents = yamlOf(node);
  return `---\n${document.toString({ lineWidth: 0, indentSeq: false, verifyAliasOrder: false })}`;
}

function yamlOf(node: Node): YamlNode {
  if (node.kind === 'list') {
    const list = new YAMLSeq();
    list.items = node.items.map(yamlOf);
    return list;
  }
  if (node.kind === 'map') {
    const map = new YAMLMap();
    for (const [key, { value }] of node.entries) map.items.push(new Pair(textOf(key), yamlOf(value)));
    return map;
  }
  if (node.kind === 'reference') {
    const list = new YAMLSeq();
    list.items = node.path.map(textOf);
    list.tag = '!reference';
    list.flow = true;
    return list;
  }
  if (typeof node.value === 'string') return textOf(node.value);
  const scalar = new Scalar(node.value === null ? 'null' : node.source);
  scalar.type = 'PLAIN';
  return scalar;
}

function textOf(text: string): Scalar {
  const scalar = new Scalar(text);
  if (typeof plainScalar(text) !== 'string' || text === '<<') scalar.type = 'QUOTE_DOUBLE';
  return scalar;
}
