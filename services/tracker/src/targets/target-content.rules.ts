import { Rejection } from '@forgelog/contracts/errors.ts';

/** What people write into any kind of target. */
interface Content {
  title: string;
  description: string | null;
  labels: readonly string[];
}

const MAX_TITLE = 255;
const MAX_DESCRIPTION = 1_048_576;
const MAX_LABEL = 255;

/** Label names as sent, a list whose items may be lists again (`a,b`): each once, without blanks around it. */
export function distinctLabels(names: readonly string[]): string[] {
  const trimmed = names.flatMap((name) => name.split(',')).map((name) => name.trim());
  return [...new Set(trimmed)].filter((name) => name !== '');
}

/** @throws Rejection with everything that is wrong */
export function requireValid({ title, description, labels }: Content): void {
  const fields: Record<string, string[]> = {};
  if (title === '') fields.title = ["can't be blank"];
  else if (isLonger(title, MAX_TITLE)) fields.title = [tooLong(MAX_TITLE)];
  if (description !== null && isLonger(description, MAX_DESCRIPTION))
    fields.description = [tooLong(MAX_DESCRIPTION)];
  if (labels.some((label) => isLonger(label, MAX_LABEL))) fields.labels = [tooLong(MAX_LABEL)];
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}

const tooLong = (max: number) => `is too long (maximum is ${max} characters)`;

/** Counted in characters, not in UTF-16 units. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && [...text].length > max;
}
