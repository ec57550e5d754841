import { Rejection } from '@forgelog/contracts/errors.ts';
import { sizeOfSealed } from '@forgelog/service-kit/sealed.ts';
import { isCron, isTimeZone } from '../shared/cron.ts';

/** Together they fit into the event that creates a pipeline. */
const MOST_VARIABLES = 100;
const MOST_BYTES = 256 * 1024;
const MOST_BYTES_OF_ONE = 64 * 1024;
const MOST_CHARACTERS = 255;

type Fields = Record<string, string[]>;

function refuse(fields: Fields): void {
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}

/** Reports all problems at once, by field, in the words that clients know. */
export function requireValidSchedule(schedule: {
  description: string;
  ref: string;
  cron: string;
  cronTimezone: string;
}): void {
  const fields: Fields = {};
  if (schedule.description.trim() === '') fields.description = ["can't be blank"];
  if (schedule.ref.trim() === '') fields.ref = ["can't be blank"];
  if (!isCron(schedule.cron)) fields.cron = ['is invalid syntax'];
  if (!isTimeZone(schedule.cronTimezone)) fields.cron_timezone = ['is invalid syntax'];
  refuse(fields);
}

export interface ScheduleVariable {
  key: string;
  variableType: 'env_var' | 'file';
  /** Sealed. */
  value: string;
}

/** @param others the other variables of the schedule */
export function requireValidVariable(
  { key, value }: ScheduleVariable,
  others: readonly ScheduleVariable[],
): void {
  const fields: Fields = {};
  const size = sizeOfSealed(value);
  const together = others.reduce((sum, other) => sum + sizeOfSealed(other.value), size);
  if (!/^[a-zA-Z0-9_]+$/.test(key)) fields.key = ["can contain only letters, digits and '_'."];
  else if (key.length > MOST_CHARACTERS)
    fields.key = [`is too long (maximum is ${MOST_CHARACTERS} characters)`];
  else if (others.some((other) => other.key === key)) fields.key = ['has already been taken'];
  if (size > MOST_BYTES_OF_ONE) fields.value = [`is too long (maximum is ${MOST_BYTES_OF_ONE} bytes)`];
  if (others.length >= MOST_VARIABLES)
    fields.base = [`Maximum number of variables (${MOST_VARIABLES}) exceeded`];
  else if (together > MOST_BYTES)
    fields.base = [`Values of all variables are too long (maximum is ${MOST_BYTES} bytes)`];
  refuse(fields);
}
