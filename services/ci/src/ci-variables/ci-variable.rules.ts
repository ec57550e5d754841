import { Rejection } from '@forgelog/contracts/errors.ts';
import { ENVIRONMENT_SCOPE, ENVIRONMENT_SCOPE_RULE } from '../shared/environment-scope.ts';

const MOST_VARIABLES = 1000;
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_BYTES_OF_ONE = 256 * 1024;

const KEY = /^[a-zA-Z0-9_]+$/;
const MOST_CHARACTERS = 255;

/** Runners mask whole values of these characters in logs, and shorter ones would hide ordinary words. */
const MASKABLE = /^[a-zA-Z0-9_+=/@:.~-]{8,}$/;

export const isMaskable = (value: string): boolean => MASKABLE.test(value);

interface Checked {
  key: string;
  environmentScope: string;
  masked: boolean;
  isMaskable: boolean;
  size: number;
}

/**
 * Reports all problems at once, by field, in the words that clients know.
 * @param others the other variables of the same place
 */
export function requireValid(wanted: Checked, others: readonly Checked[]): void {
  const { key, environmentScope } = wanted;
  const fields: Record<string, string[]> = {};
  const require = (isMet: boolean, field: string, problem: string) => {
    if (!isMet) fields[field] = [...(fields[field] ?? []), problem];
  };
  requireText('key', key, KEY, "can contain only letters, digits and '_'.");
  requireText('environment_scope', environmentScope, ENVIRONMENT_SCOPE, ENVIRONMENT_SCOPE_RULE);
  const isTaken = others.some((other) => other.key === key && other.environmentScope === environmentScope);
  require(!isTaken, 'key', `(${key}) has already been taken`);
  require(wanted.isMaskable || !wanted.masked, 'value', 'is invalid');
  require(wanted.size <= MOST_BYTES_OF_ONE, 'value', `is too long (maximum is ${MOST_BYTES_OF_ONE} bytes)`);
  require(others.length < MOST_VARIABLES, 'base', `Maximum number of variables (${MOST_VARIABLES}) exceeded`);
  const together = others.reduce((sum, { size }) => sum + size, wanted.size);
  require(together <=
    MOST_BYTES, 'base', `Values of all variables are too long (maximum is ${MOST_BYTES} bytes)`);
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });

  function requireText(field: string, text: string, pattern: RegExp, rule: string): void {
    require(text !== '', field, "can't be blank");
    const length = `is too long (maximum is ${MOST_CHARACTERS} characters)`;
    require(text.length <= MOST_CHARACTERS, field, length);
    require(pattern.test(text), field, rule);
  }
}
