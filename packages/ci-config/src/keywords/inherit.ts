import { attribute, type Reader, readFields, textsIn } from './reader.ts';

export interface Inheritance {
  /** Which `default` keywords the job inherits. */
  default: boolean | readonly string[];
  /** Which root variables it inherits. */
  variables: boolean | readonly string[];
}

export const INHERIT_ALL: Inheritance = { default: true, variables: true };

const choice: Reader<boolean | string[]> = (node, at) => {
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  return textsIn(node) ?? at.error(node, 'should be a bool or array of strings');
};

export const inherit: Reader<Inheritance> = (node, at) => {
  if (node.kind !== 'map') return at.error(node, 'should be a hash');
  return {
    ...INHERIT_ALL,
    ...readFields(node, at, { default: attribute(choice), variables: attribute(choice) }),
  };
};

export const inherits = (choice: boolean | readonly string[], name: string) =>
  typeof choice === 'boolean' ? choice : choice.includes(name);
