import { Rejection } from '@forgelog/contracts/errors.ts';
import { placeBetween } from './manual-order.ts';

/** A gap in which only a few thousand moves one after another find no room. */
const LONGEST = 2000;

interface Around {
  /** The next place that is taken in one direction. */
  next(place: string, direction: 'up' | 'down'): Promise<string | undefined>;
  /** A place behind all. */
  end(): Promise<string> | string;
}

/** The place for what is to be behind one and before the other: at least one of both is given. */
export async function placeAmong(
  given: readonly [before: string | undefined, after: string | undefined],
  { next, end }: Around,
): Promise<string> {
  let [before, after] = given;
  // Between two it is the same in which order they are named.
  if (before !== undefined && after !== undefined && before > after) [before, after] = [after, before];
  // Two that were moved at the same time may have one place.
  if (before !== undefined && (after === undefined || after === before))
    after = (await next(before, 'up')) ?? (await end());
  before ??= (await next(after!, 'down')) ?? '';
  const place = placeBetween(before, after!);
  if (place.length > LONGEST)
    throw new Rejection('refused', {
      message: 'There is no room at this place: move what is beside it',
    });
  return place;
}
