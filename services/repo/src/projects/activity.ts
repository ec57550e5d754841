/** Rounds activity to a minute, so that a busy project is not rewritten for each comment. */
const ACTIVITY_STEP_MS = 60_000;

/** The time of a project's last activity after a new event; both in ISO 8601. */
export function laterActivity(known: string, time: string): string {
  return Date.parse(time) - Date.parse(known) >= ACTIVITY_STEP_MS ? time : known;
}
