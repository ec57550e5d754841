import { Rejection } from '@forgelog/contracts/errors.ts';
import { isRecord, type RawRecord, type RawValue, Repeated } from '@forgelog/contracts/params.ts';

const MAX_PAIRS = 10_000;
const MAX_DEPTH = 16;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** Parameters of every call, which say who calls. */
export const CALLER_PARAMETERS = ['private_token', 'access_token', 'job_token', 'sudo'] as const;

function malformed(reason: string): never {
  throw new Rejection('malformed_body', { reason });
}

function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return malformed('The request holds an invalid percent-encoding');
  }
}

export function parsePairs(text: string, into: RawRecord): void {
  if (text === '') return;
  const pairs = text.split('&');
  if (pairs.length > MAX_PAIRS) malformed(`The request holds more than ${MAX_PAIRS} parameters`);
  for (const pair of pairs) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decodeComponent(at < 0 ? pair : pair.slice(0, at));
    assign(into, name, at < 0 ? '' : decodeComponent(pair.slice(at + 1)));
  }
}

/**
 * Assigns a value by its bracketed name: `a[b][c]`, `a[]`, `a[][x]`. In a list of hashes, a member that the last hash
 * already has starts the next hash. A repeated plain name becomes `Repeated`.
 */
export function assign(into: RawRecord, name: string, value: RawValue): void {
  const open = name.indexOf('[');
  if (open <= 0 || !name.endsWith(']')) {
    put(into, name, value, true);
    return;
  }
  const keys = [name.slice(0, open), ...name.slice(open + 1, -1).split('][')];
  if (keys.length > MAX_DEPTH) malformed('A parameter name is nested too deeply');
  let record = into;
  for (let at = 0; ; at += 1) {
    const key = keys[at]!;
    if (at === keys.length - 1) {
      put(record, key, value, false);
      return;
    }
    if (keys[at + 1] === '') {
      const items = listAt(record, key);
      if (at + 1 === keys.length - 1) {
        items.push(value);
        return;
      }
      record = lastItemWithout(items, keys[at + 2]!, at + 2 === keys.length - 1);
      at += 1;
      // The next step of the loop handles the member's name within the hash.
      continue;
    }
    record = recordAt(record, key);
  }
}

function checked(key: string): string {
  if (FORBIDDEN.has(key)) malformed(`A parameter cannot be named ${key}`);
  return key;
}

function put(record: RawRecord, key: string, value: RawValue, repeats: boolean): void {
  const there = record[checked(key)];
  if (there === undefined || !repeats) record[key] = value;
  else if (Array.isArray(there)) there.push(value);
  else record[key] = Repeated.of(there, value);
}

function listAt(record: RawRecord, key: string): RawValue[] {
  const there = record[checked(key)];
  if (Array.isArray(there)) return there;
  const items: RawValue[] = there === undefined ? [] : [there];
  record[key] = items;
  return items;
}

function recordAt(record: RawRecord, key: string): RawRecord {
  const there = record[checked(key)];
  if (isRecord(there)) return there;
  if (there !== undefined) malformed(`The parameter ${key} is both a value and a hash`);
  const made = emptyRecord();
  record[key] = made;
  return made;
}

function lastItemWithout(items: RawValue[], member: string, isLeaf: boolean): RawRecord {
  const last = items.at(-1);
  if (isRecord(last) && !(isLeaf && member in last)) return last;
  const made = emptyRecord();
  items.push(made);
  return made;
}

export function emptyRecord(): RawRecord {
  return Object.create(null) as RawRecord;
}

export function parseJsonBody(text: string, into: RawRecord): void {
  if (text.trim() === '') return;
  guardDepth(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    malformed('The request body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    malformed('The request body must be a JSON object');
  }
  const budget = { left: 200_000 };
  for (const [key, member] of Object.entries(value)) into[checked(key)] = harmless(member, budget);
}

/** JSON.parse recurses: refuse deep nesting before it runs. */
function guardDepth(text: string): void {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === 92) at += 1;
      else if (code === 34) inString = false;
    } else if (code === 34) inString = true;
    else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > MAX_DEPTH * 2) malformed('The request body is nested too deeply');
    } else if (code === 125 || code === 93) depth -= 1;
  }
}

function harmless(value: unknown, budget: { left: number }): RawValue {
  budget.left -= 1;
  if (budget.left < 0) malformed('The request body holds too many values');
  if (Array.isArray(value)) return value.map((item) => harmless(item, budget));
  if (typeof value === 'object' && value !== null) {
    const record = emptyRecord();
    for (const [key, member] of Object.entries(value)) record[checked(key)] = harmless(member, budget);
    return record;
  }
  return value as string | number | boolean | null;
}
