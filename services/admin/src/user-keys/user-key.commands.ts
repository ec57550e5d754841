import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { settingNow } from '@forgelog/directory/settings.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { readSshKey } from '@forgelog/signatures/ssh-key.ts';
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
  if (kind === 'ssh') await requireStrong(key, ports);
  const facts = kind === 'ssh' ? sshFacts(key) : await pgpFacts(key);
  if (!facts) throw new Rejection('validation_failed', { fields: { key: ['is invalid'] } });
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

/** @throws 400 for a key of a kind or length that the instance does not take */
async function requireStrong(line: string, ports: KeyPorts): Promise<void> {
  const key = readSshKey(line);
  if (!key) return;
  const least = await settingNow(ports, `${key.algorithm}_key_restriction`);
  const name = key.algorithm.toUpperCase();
  const problem =
    least === -1
      ? `${name} keys are not allowed`
      : key.bits < least && `of ${name} must have at least ${least} bits`;
  if (problem) throw new Rejection('validation_failed', { fields: { key: [problem] } });
}

function sshFacts(line: string) {
  const key = readSshKey(line);
  return (
    key && {
      key: key.text,
      fingerprint: Buffer.from(key.fingerprint, 'base64').toString('hex'),
      keyIds: [key.fingerprint, key.md5],
      identities: [],
    }
  );
}

async function pgpFacts(armored: string) {
  // A large library, loaded with the first key.
  const { readPgpKey } = await import('@forgelog/signatures/pgp-key.ts');
  const key = await readPgpKey(armored);
  return key && { key: armored.trim(), ...key };
}
