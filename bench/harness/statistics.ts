export interface Summary {
  median: number;
  /** Half the interquartile range relative to the median; a second run may differ by about this much. */
  spread: number;
}

/** @throws RangeError for no values */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Linear between the two nearest values. @throws RangeError for no values */
export function quantile(values: readonly number[], part: number): number {
  if (values.length === 0) throw new RangeError('a quantile needs at least one value');
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * part;
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  return below + (above - below) * (place - Math.floor(place));
}

export function summarise(values: readonly number[]): Summary {
  const middle = median(values);
  return { median: middle, spread: (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / middle };
}

export type Target = { atLeast: number } | { atMost: number };

export const fulfils = (ratio: number, target: Target): boolean =>
  'atLeast' in target ? ratio >= target.atLeast : ratio <= target.atMost;
