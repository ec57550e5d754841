/** SQLite's result codes; extended codes hold the primary one in their low byte. */

const BUSY = 5;
const NO_MEMORY = 7;
const READ_ONLY = 8;
const INPUT_OUTPUT = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const CONSTRAINT = 19;
const NOT_A_DATABASE = 26;

const primary = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) % 256;

export const isBusy = (error: unknown): boolean => primary(error) === BUSY;

export const isConstraint = (error: unknown): boolean => primary(error) === CONSTRAINT;

export const isDamage = (error: unknown): boolean =>
  primary(error) === CORRUPT || primary(error) === NOT_A_DATABASE;

export const isUnavailable = (error: unknown): boolean =>
  [BUSY, NO_MEMORY, READ_ONLY, INPUT_OUTPUT, FULL, CANNOT_OPEN].includes(primary(error));
