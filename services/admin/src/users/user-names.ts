import { Rejection } from '@forgelog/contracts/errors.ts';
import { emailStream, NameTakenError, routeStream } from '@forgelog/directory/name.decider.ts';
import type { Names } from '@forgelog/directory/names.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';

export interface UserNames {
  username?: string | undefined;
  email?: string | undefined;
}

/**
 * Claims a user's username (one space of names with the paths of top-level groups) and address.
 * @throws 409 in the words that clients know; what was claimed before is released again
 */
export async function claimUserNames(
  names: Names,
  userId: number,
  { username, email }: UserNames,
  metadata: EventMetadata,
): Promise<void> {
  const holder = { kind: 'user', id: userId } as const;
  const taken = (error: unknown, what: string) =>
    error instanceof NameTakenError
      ? new Rejection('conflict', { message: `${what} has already been taken` })
      : error;
  if (email !== undefined) {
    await names.claim(emailStream(email), holder, metadata).catch((error) => {
      throw taken(error, 'Email');
    });
  }
  if (username !== undefined) {
    await names.claim(routeStream(null, username), holder, metadata).catch(async (error) => {
      if (email !== undefined) await names.release(emailStream(email), holder, metadata);
      throw taken(error, 'Username');
    });
  }
}

export async function releaseUserNames(
  names: Names,
  userId: number,
  { username, email }: UserNames,
  metadata: EventMetadata,
): Promise<void> {
  const holder = { kind: 'user', id: userId } as const;
  if (username !== undefined) await names.release(routeStream(null, username), holder, metadata);
  if (email !== undefined) await names.release(emailStream(email), holder, metadata);
}
