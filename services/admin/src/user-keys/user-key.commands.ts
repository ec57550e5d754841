import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { deployKeyDecider, deployKeyStream, keyTaken } from '../deploy-keys/deploy-key.decider.ts';
import { requireSshKey, sshKeyIds } from '../shared/ssh-key-facts.ts';
import { userKeyDecider, userKeyStream } from './user-key.decider.ts';

export type KeyKind = 'ssh' | 'gpg';

export interface NewKey {
  title?: string | undefined;
  key: string;
  /** ISO 8601 */
  expires_at?: string | undefined;
}

type KeyPorts = Pick<ServicePorts, 'commands' | 'directory' | 'ids' | 'clock' | 'configuration'>;

/** Returns the id of the new key. @throws validation_failed for a broken key, or one that somebody has already */
export async function createKey(
  ports: KeyPorts,
  kind: KeyKind,
  userId: number,
  { title, key, expires_at }: NewKey,
  metadata: EventMetadata,
): Promise<number> {
  const { commands, directory, ids, clock } = ports;
  const facts = kind === 'ssh' ? await sshFacts(key, ports) : await pgpFacts(key);
  if (!facts) throw new Rejection('validation_failed', { fields: { key: ['is invalid'] } });
  if (kind === 'ssh' && (await isDeployKey(facts.fingerprint, ports))) throw keyTaken(false);
  const stream = userKeyStream(facts.fingerprint);
  const { state } = await commands.load(userKeyDecider, stream);
  const holder = state.status === 'present' ? state.userId : null;
  const isFormer = holder !== null && ((await directory.user(holder))?.state ?? 'deleted') === 'deleted';
  const commandFor = (userKeyId: number) => ({
    type: 'CreateUserKey' as const,
    ...{ userKeyId, userId, kind, ...facts },
    title: kind === 'ssh' ? (title ?? '') : null,
    expiresAt: expires_at === undefined ? null : new Date(expires_at).toISOString(),
    now: clock().toISOString(),
    formerUserId: isFormer ? holder : null,
  });
  // Validate before reserving an id.
  userKeyDecider.decide(commandFor(0), state);
  const userKeyId = await ids.next('userKey');
  await commands.handle(userKeyDecider, stream, commandFor(userKeyId), metadata);
  return userKeyId;
}

async function sshFacts(line: string, ports: KeyPorts) {
  const key = await requireSshKey(line, ports);
  return { key: key.text, ...sshKeyIds(key), identities: [] };
}

/** Whether it is a key of machines. */
async function isDeployKey(fingerprint: string, { commands }: KeyPorts): Promise<boolean> {
  const { state } = await commands.load(deployKeyDecider, deployKeyStream(fingerprint));
  return state.status === 'present';
}

async function pgpFacts(armored: string) {
  // A large library, loaded with the first key.
  const { readPgpKey } = await import('@forgelog/signatures/pgp-key.ts');
  const key = await readPgpKey(armored);
  return key && { key: armored.trim(), ...key };
}
