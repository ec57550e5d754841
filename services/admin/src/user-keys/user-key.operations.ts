import { countUserKeys, findSigningKey } from '@forgelog/contracts/admin/user-keys/user-key.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, eq, has, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import { userEmails } from '../user-emails/user-emails.projection.ts';
import { isSameEmail } from '../users/further-emails.ts';
import type { UserRecord } from '../users/user-record.ts';
import { users } from '../users/users.projection.ts';
import { type UserKeyRow, userKeys } from './user-keys.projection.ts';

/** Beyond any instance. */
const MOST = 1_000_000_000;
/** More than a user may have. */
const MOST_EMAILS = 1000;

export function userKeyOperations({ readStore }: ServicePorts): OperationImplementation[] {
  return [
    implementOperation(countUserKeys, async ({ request: { kind } }) => ({
      keys: await readStore.count(userKeys, { where: eq('kind', kind), atMost: MOST }),
    })),

    implementOperation(findSigningKey, async ({ request }) => {
      const { kind, keyIds, email } = request;
      const named = and(eq('kind', kind), or(...keyIds.map((id) => has('keyIds', id))));
      const [row] = await readStore.find(userKeys, { where: named, limit: 1 });
      const owner = row && (await recordOf(readStore, row.userId));
      const shown = row && owner && { ...owner, ...(await emailOf(readStore, { row, owner, email })) };
      return { key: row && shown ? keyOf(row, shown) : null, userOfEmail: await userOf(readStore, email) };
    }),
  ];
}

const keyOf = (
  { id, userId, title, key, keyIds, names, emails, expiresAt, createdAt }: UserKeyRow,
  { email, confirmedAt }: UserRecord,
) => ({
  ...{ id, userId, title, key, keyIds: [...keyIds], expiresAt, createdAt, email },
  identities: names.map((name, index) => ({ name, email: emails[index]! })),
  confirmed: confirmedAt !== null,
});

const recordOf = async (readStore: ReadStore, userId: number) =>
  (await readStore.get(users, userId))?.record as UserRecord | undefined;

/** Which of the owner's addresses counts: that of a commit, else one that the key names. */
async function emailOf(
  readStore: ReadStore,
  { row, owner, email }: { row: UserKeyRow; owner: UserRecord; email: string },
): Promise<Pick<UserRecord, 'email' | 'confirmedAt'>> {
  const further = await readStore.find(userEmails, { where: eq('userId', owner.id), limit: MOST_EMAILS });
  const confirmed = [owner, ...further].filter(({ confirmedAt }) => confirmedAt !== null);
  const oneOf = (emails: readonly string[]) =>
    confirmed.find((own) => emails.some((wanted) => isSameEmail(own.email, wanted)));
  return oneOf([email]) ?? oneOf(row.emails) ?? owner;
}

async function userOf(readStore: ReadStore, email: string): Promise<number | null> {
  const [row] = await readStore.find(users, { where: eq('emailLower', email.toLowerCase()), limit: 1 });
  if (row) return (row.record as UserRecord).confirmedAt === null ? null : row.id;
  const [further] = await readStore.find(userEmails, {
    where: eq('emailLower', email.toLowerCase()),
    limit: 1,
  });
  return further && further.confirmedAt !== null ? further.userId : null;
}
