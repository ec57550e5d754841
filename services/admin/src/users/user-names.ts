import { Rejection } from '@forgelog/contracts/errors.ts';
import { emailStream, NameTakenError, routeStream } from '@forgelog/directory/name.decider.ts';

export interface UserNames {
  username?: string | undefined;
  email?: string | undefined;
}

/** What a user is known by: the username (one space of names with the paths of top-level groups) and the address. */
export const userNames = ({ username, email }: UserNames): string[] => [
  ...(email === undefined ? [] : [emailStream(email)]),
  ...(username === undefined ? [] : [routeStream(null, username)]),
];

/** @throws 409 in the words that clients know for names that are taken, any other error as it is */
export function refuseTaken({ email }: UserNames): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof NameTakenError)) throw error;
    const isEmail = email !== undefined && error.names.includes(emailStream(email));
    throw new Rejection('conflict', { message: `${isEmail ? 'Email' : 'Username'} has already been taken` });
  };
}
