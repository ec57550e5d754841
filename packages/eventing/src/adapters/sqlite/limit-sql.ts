/** A bare `LIMIT ?` has SQLite plan the statement anew for each run, since the value may change the plan. */
export const LIMIT = 'LIMIT ? + 0';
