import { countUserKeys, findSigningKey } from '@forgelog/contracts/admin/user-keys/user-key.operations.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { and, eq, has, or } from '@forgelog/eventing/query.ts';
import type { ReadStore } from '@forgelog/eventing/read-store.ts';
import { implementOperation, type OperationImplementation } from '@forgelog/service-kit/operations.ts';
import type { UserRecord } from '../users/user-record.ts';
import { users } from '../users/users.projection.ts';
import { type UserKeyRow, userKeys } from './user-keys.projection.ts';

/** Beyond any instance. */
const MOST = 1_000_000_000;

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
      return { key: row && owner ? keyOf(row, owner) : null, userOfEmail: await userOf(readStore, email) };
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

async function userOf(readStore: ReadStore, email: string): Promise<number | null> {
  const [row] = await readStore.find(users, { where: eq('emailLower', email.toLowerCase()), limit: 1 });
  return row && (row.record as UserRecord).confirmedAt !== null ? row.id : null;
}
