import { Rejection } from '@forgelog/contracts/errors.ts';
import { emailStream, NameTakenError, routeStream } from '@forgelog/directory/name.decider.ts';

export interface UserNames {
  username?: string | undefined;
  email?: string | undefined;
}

/** A user's unique names: the username, which shares a namespace with top-level group paths, and the address. */
export const userNames = ({ username, email }: UserNames): string[] => [
  ...(email === undefined ? [] : [emailStream(email)]),
  ...(username === undefined ? [] : [routeStream(null, username)]),
];

/** @throws 409 for taken names, in the words that clients know; other errors pass through */
export function refuseTaken({ email }: UserNames): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof NameTakenError)) throw error;
    const isEmail = email !== undefined && error.names.includes(emailStream(email));
    throw new Rejection('conflict', { message: `${isEmail ? 'Email' : 'Username'} has already been taken` });
  };
}
