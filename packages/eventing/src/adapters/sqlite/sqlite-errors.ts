/** What SQLite's result codes say; extended codes hold the primary one in their low byte. */

const CORRUPT = 11;
const CONSTRAINT = 19;
const NOT_A_DATABASE = 26;

const primary = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) % 256;

export const isConstraint = (error: unknown): boolean => primary(error) === CONSTRAINT;

export const isDamage = (error: unknown): boolean =>
  primary(error) === CORRUPT || primary(error) === NOT_A_DATABASE;
