/** Activity is told by the minute: a busy project does not write its record for each comment. */
const ACTIVITY_STEP_MS = 60_000;

/** The time of a project's last activity after something happened in it; both as ISO 8601. */
export function laterActivity(known: string, time: string): string {
  return Date.parse(time) - Date.parse(known) >= ACTIVITY_STEP_MS ? time : known;
}
