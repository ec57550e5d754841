import { define, INVALID, type Param, ParamProblem, scalarText } from './param.ts';
import type { RawValue } from './raw.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATETIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;

function isCalendarDay(text: string): boolean {
  const match = DATE.exec(text);
  if (!match) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.getUTCDate() === Number(match[3]);
}

/** A calendar day with a time, in ISO 8601. @throws ParamProblem for any other text */
function moment(raw: RawValue): { day: string; time: Date } {
  // An unencoded `+` of a zone offset arrives as a space.
  const value = scalarText(raw).replace(/ (\d{2}:?\d{2})$/, (whole, zone, at) =>
    at > 13 ? `+${zone}` : whole,
  );
  const [, day, clock = '00:00', offset] = DATETIME.exec(value) ?? [];
  if (day === undefined || !isCalendarDay(day)) throw new ParamProblem(INVALID);
  const zone = !offset || /^(z|utc)$/i.test(offset) ? 'Z' : offset.replace(/^(.\d{2}):?(\d{2})$/, '$1:$2');
  const time = new Date(`${day}T${clock.length === 5 ? `${clock}:00` : clock}${zone}`);
  if (Number.isNaN(time.getTime())) throw new ParamProblem(INVALID);
  return { day, time };
}

/**
 * An existing day, `YYYY-MM-DD`. A timestamp counts as the day in its own zone: upstream parses it so, and clients
 * that send only timestamps depend on it.
 */
export function date(): Param<string | undefined> {
  return define({ type: 'string', format: 'date' }, (raw) => moment(raw).day);
}

/** A time in ISO 8601, normalised to UTC with milliseconds; a day means its first moment. */
export function datetime(): Param<string | undefined> {
  return define({ type: 'string', format: 'date-time' }, (raw) => {
    const utc = moment(raw).time.toISOString();
    // A zone offset can leave the four-digit years, and such a text would sort wrongly.
    if (!DATETIME.test(utc)) throw new ParamProblem(INVALID);
    return utc;
  });
}
