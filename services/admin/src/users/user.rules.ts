import { pathProblems } from '../shared/path.rules.ts';
import { type FurtherEmail, isSameEmail } from './further-emails.ts';
import type { UserFields } from './user-fields.ts';

/** The address of the account, and the others. */
export interface OwnedEmails extends Pick<UserFields, 'email' | 'confirmed'> {
  further?: readonly FurtherEmail[];
}

/** Problems by field, in the words that clients know; checks only given fields. */
export function userProblems(
  given: Partial<Omit<UserFields, 'identities'>>,
  { email, confirmed, further = [] }: OwnedEmails,
): Record<string, string[]> {
  const { public_email } = given.profile ?? {};
  const problems: Record<string, string[]> = {
    email: given.email === undefined ? [] : emailProblems(given.email),
    name: given.name === undefined ? [] : nameProblems(given.name),
    username: given.username === undefined ? [] : pathProblems(given.username, true),
    // An address counts as verified once it is confirmed [L440].
    public_email:
      !public_email ||
      [{ email, confirmed }, ...further].some((own) => own.confirmed && isSameEmail(own.email, public_email))
        ? []
        : ['is not an email you own'],
  };
  return Object.fromEntries(Object.entries(problems).filter(([, texts]) => texts.length > 0));
}

export function emailProblems(email: string): string[] {
  if (email.trim() === '') return ["can't be blank"];
  return /^[^@\s]+@[^@\s]+$/.test(email) && email.length <= 255 ? [] : ['is invalid'];
}

function nameProblems(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"];
  return name.length > 255 ? ['is too long (maximum is 255 characters)'] : [];
}

/** [companions 2.2] 8 to 128 characters. */
export function passwordProblems(password: string): string[] {
  if (password === '') return ["can't be blank"];
  if (password.length < 8) return ['is too short (minimum is 8 characters)'];
  return password.length > 128 ? ['is too long (maximum is 128 characters)'] : [];
}
