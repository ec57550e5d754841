import type { EventDefinition } from './event.ts';

const PLACE = /<(\w+)>/;

/**
 * A regular expression of the subjects of a form: `issue-<projectId>-<iid>`. A name in brackets stands for the field of
 * the data that has this name, else for a text that the description of the field `subject` explains.
 */
export const subjectPattern = (
  forms: readonly string[],
  data: Readonly<Record<string, unknown>> = {},
): string => `^(${forms.map((form) => patternOf(form, data)).join('|')})$`;

const patternOf = (form: string, data: Readonly<Record<string, unknown>>) =>
  form
    .split(PLACE)
    .map((part, index) => (index % 2 === 0 ? part : fieldPattern(part, data)))
    .join('');

const fieldPattern = (name: string, data: Readonly<Record<string, unknown>>) => {
  const value = data[name];
  return value === undefined ? '.+' : String(value).replace(/[^\w-]/g, '\\$&');
};

const HASH = '<sha256>';

/**
 * The name of a stream for those outside. A form that ends with `<sha256>` has the hash of something that can be guessed,
 * an address for example: `keyed` makes another of it, which nobody without the key can compare with guesses.
 */
export function publishedSubject(
  forms: readonly string[],
  stream: string,
  keyed: (hash: string) => string,
): string {
  for (const form of forms) {
    if (!form.endsWith(HASH)) continue;
    const begin = new RegExp(`^${patternOf(form.slice(0, -HASH.length), {})}(?=[0-9a-f]{64}$)`).exec(
      stream,
    )?.[0];
    if (begin !== undefined) return begin + keyed(stream.slice(begin.length));
  }
  return stream;
}

/** What an event breaks of the form of its subject; null if it keeps it. */
export function subjectProblem(
  { type, subject: forms }: Pick<EventDefinition, 'type' | 'subject'>,
  { subject, data }: { subject: string; data: Readonly<Record<string, unknown>> },
): string | null {
  if (new RegExp(subjectPattern(forms, data)).test(subject)) return null;
  return `${type} is in the stream ${subject}; its contract says ${forms.join(' or ')}`;
}
