import type { Environment } from '../configuration.ts';
import type { Node } from '../document/node.ts';
import type { Location } from './location.ts';
import { attribute, duration, filledText, oneOf, part, type Reader, readFields, text } from './reader.ts';

const ACTIONS = ['start', 'stop', 'prepare', 'verify', 'access'] as const;
const TIERS = ['production', 'staging', 'testing', 'development', 'other'] as const;
const LONGEST = 255;
/** Checked before expansion. */
const NAME = /^[\w/\\$. {}-]+$/;

const name: Reader<string> = (node, at) => {
  const value = filledText(node, at);
  if (value === undefined) return undefined;
  if (!NAME.test(value))
    return at.error(node, "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces");
  return value.length > LONGEST ? at.error(node, `is too long (maximum is ${LONGEST} characters)`) : value;
};

const kubernetes: Reader<string | null> = (node, at) => {
  if (node.kind !== 'map') return at.error(node, 'should be a hash');
  return readFields(node, at, { namespace: attribute(text) }).namespace ?? null;
};

export const environment: Reader<Environment> = (node, at) => {
  if (node.kind === 'scalar' && typeof node.value === 'string') return simple(node, at);
  if (node.kind !== 'map') return at.error(node, 'should be a hash or a string');
  const read = readFields(node, at, {
    name: attribute(name),
    url: attribute(text),
    action: attribute(oneOf(ACTIONS, `should be ${ACTIONS.slice(0, -1).join(', ')} or ${ACTIONS.at(-1)}`)),
    on_stop: attribute(text),
    auto_stop_in: attribute(duration()),
    deployment_tier: attribute(oneOf(TIERS, `must be one of ${TIERS.join(', ')}`)),
    kubernetes: part(kubernetes),
  });
  if (!node.entries.has('name')) return at.attribute('name').error(node, "can't be blank");
  return {
    name: read.name ?? '',
    url: read.url ?? null,
    action: read.action ?? 'start',
    onStop: read.on_stop ?? null,
    autoStopIn: read.auto_stop_in ?? null,
    deploymentTier: read.deployment_tier ?? null,
    kubernetesNamespace: read.kubernetes ?? null,
  };
};

function simple(node: Node, at: Location): Environment | undefined {
  const read = name(node, at.attribute('name'));
  if (read === undefined) return undefined;
  return {
    name: read,
    url: null,
    action: 'start',
    onStop: null,
    autoStopIn: null,
    deploymentTier: null,
    kubernetesNamespace: null,
  };
}
