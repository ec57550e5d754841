import { createNames } from '@forgelog/directory/names.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import { and, eq } from '@forgelog/eventing/query.ts';
import { hash } from '@node-rs/argon2';
import { accessTokens } from './access-tokens/access-tokens.projection.ts';
import { newToken } from './access-tokens/new-token.ts';
import { issueRootToken, ROOT_ID, revokeToken } from './administrators.ts';
import { sha256 } from './shared/sha256.ts';
import { type UserCommand, userDecider, userStream } from './users/user.decider.ts';
import { userNames } from './users/user-names.ts';

const ROOT = { username: 'root', email: 'admin@example.com' };

export interface FirstStart {
  /** The generated token, if any; it is shown once and not stored. */
  madeToken: string | null;
}

/**
 * Creates the administrator `root` with id 1 (companions.md 1.7) and their token ROOT_TOKEN, if it is set. Idempotent,
 * even after an aborted start. Another ROOT_TOKEN ends the one before it; a revoked one stays revoked. ROOT_PASSWORD
 * counts only at the first start: a restart must not restore an old password.
 */
export async function ensureFirstAdministrator(ports: ServicePorts): Promise<FirstStart> {
  const { directory, readStore, configuration } = ports;
  if ((await directory.user(ROOT_ID)) === undefined) await createRoot(ports);
  if ((await directory.user(ROOT_ID))!.state === 'deleted') return { madeToken: null };
  const given = configuration.ROOT_TOKEN;
  if (given !== undefined) {
    await useRootToken(given, ports);
    return { madeToken: null };
  }
  if ((await readStore.count(accessTokens, { where: eq('userId', ROOT_ID), atMost: 1 })) > 0)
    return { madeToken: null };
  const madeToken = newToken();
  await issueRootToken(madeToken, 'first start', ports);
  return { madeToken };
}

async function createRoot(ports: ServicePorts): Promise<void> {
  const { commands, ids, configuration } = ports;
  // Reserves id 1. An aborted start may have done so before; then this number is skipped.
  await ids.next('user');
  const password = configuration.ROOT_PASSWORD;
  const command: UserCommand = {
    type: 'CreateUser',
    userId: ROOT_ID,
    namespaceId: await ids.next('namespace'),
    ...ROOT,
    name: 'Administrator',
    admin: true,
    external: false,
    bot: false,
    passwordHash: password ? await hash(password) : null,
    confirmed: true,
    identities: [],
    profile: {},
  };
  const holder = { kind: 'user', id: ROOT_ID } as const;
  await createNames(ports).claimed(holder, { take: userNames(ROOT) }, SYSTEM_METADATA, (at) =>
    commands.handle(userDecider, userStream(ROOT_ID), command, SYSTEM_METADATA, { at }),
  );
}

/** The setting holds one token at a time; more are left only by starts that died, and the next start goes on. */
const MOST = 100;

/** Issues the token of the setting, then ends those that it held before: a start that dies between them is repeated. */
async function useRootToken(given: string, ports: ServicePorts): Promise<void> {
  const { readStore, directory, log } = ports;
  const setting = 'ROOT_TOKEN';
  const ofRoot = eq('userId', ROOT_ID);
  const [known] = await readStore.find(accessTokens, {
    where: and(ofRoot, eq('sha256', sha256(given))),
    limit: 1,
  });
  if (!known) await issueRootToken(given, setting, ports);
  const root = await directory.user(ROOT_ID);
  if (root && root.state !== 'active')
    log.warn('root is blocked, so ROOT_TOKEN opens nothing: `npm run admin -- reset-root` unblocks them');
  // The one before may be all that still opens: an operator who went back to an older setting keeps it.
  if (known?.revoked)
    return log.warn({ tokenId: known.id }, 'ROOT_TOKEN is revoked and opens nothing: set another');
  const where = and(ofRoot, eq('name', setting), eq('bySystem', true), eq('revoked', false));
  for (const { id, sha256: hash } of await readStore.find(accessTokens, { where, limit: MOST })) {
    if (hash === sha256(given)) continue;
    await revokeToken(String(id), ports);
    log.warn({ tokenId: id }, 'ROOT_TOKEN was changed: the token that it held before is revoked');
  }
}
