import type { ObjectKey } from './object-store.ts';

const KEY = /^[A-Za-z0-9_-][\w.-]*(\/[A-Za-z0-9_-][\w.-]*)*$/;
const MAX_LENGTH = 200;

/** @throws Error for a key that is not safe on every store; keys are made by the program, never by callers */
export function checkKey(key: ObjectKey): ObjectKey {
  if (key.length > MAX_LENGTH || !KEY.test(key)) throw new Error(`not a key of an object: ${key}`);
  return key;
}
