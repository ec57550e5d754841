/** A time with its author's zone. */
export interface GitDate {
  seconds: number;
  /** In git's form: `+0300`. */
  zone: string;
  /** Local time: `2021-09-20T09:06:12.000+03:00`. */
  iso: string;
  /** UTC: `2021-09-20T06:06:12.000Z`. */
  utc: string;
}

/** The last second that fits a JavaScript date and a four-digit year. */
const LAST_SECOND = 253_402_300_799;

export function gitDate(seconds: number, zone: string): GitDate {
  const at = Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), LAST_SECOND) : 0;
  const parts = /^([+-])(\d{2})(\d{2})$/.exec(zone);
  const minutes = parts ? (parts[1] === '-' ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3])) : 0;
  // A zone of more than a day is malformed: show UTC.
  const shown = Math.abs(minutes) < 1440 && at + minutes * 60 <= LAST_SECOND ? minutes : 0;
  const local = new Date((at + shown * 60) * 1000).toISOString().slice(0, -1);
  const sign = shown < 0 ? '-' : '+';
  const clock = `${pad(Math.abs(shown) / 60)}:${pad(Math.abs(shown) % 60)}`;
  return { seconds: at, zone, iso: `${local}${sign}${clock}`, utc: new Date(at * 1000).toISOString() };
}

const pad = (value: number) => String(Math.floor(value)).padStart(2, '0');
