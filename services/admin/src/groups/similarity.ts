import { fold } from '@forgelog/eventing/query.ts';

/** The share of common trigrams, 0 to 1. */
export function similarity(a: string, b: string): number {
  const left = trigrams(a);
  const right = trigrams(b);
  let common = 0;
  for (const gram of left) if (right.has(gram)) common++;
  const all = left.size + right.size - common;
  return all === 0 ? 0 : common / all;
}

function trigrams(text: string): Set<string> {
  const padded = `  ${fold(text)} `;
  const grams = new Set<string>();
  for (let at = 0; at + 3 <= padded.length; at++) grams.add(padded.slice(at, at + 3));
  return grams;
}
