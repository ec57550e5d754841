import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { settingNow } from '@forgelog/directory/settings.ts';
import { readSshKey, type SshKey } from '@forgelog/signatures/ssh-key.ts';

/**
 * A public key of OpenSSH that the instance takes.
 * @param field the name that clients read a problem by
 * @throws 400 for anything else, and for a key of a kind or length that the settings refuse
 */
export async function requireSshKey(
  line: string,
  ports: Pick<ServicePorts, 'directory' | 'configuration'>,
  field = 'key',
): Promise<SshKey> {
  const key = readSshKey(line);
  if (!key) throw new Rejection('validation_failed', { fields: { [field]: ['is invalid'] } });
  const least = await settingNow(ports, `${key.algorithm}_key_restriction`);
  const name = key.algorithm.toUpperCase();
  const problem =
    least === -1
      ? `${name} keys are not allowed`
      : key.bits < least && `of ${name} must have at least ${least} bits`;
  if (problem) throw new Rejection('validation_failed', { fields: { [field]: [problem] } });
  return key;
}

export const sshKeyIds = ({ fingerprint, md5 }: SshKey) => ({
  fingerprint: Buffer.from(fingerprint, 'base64').toString('hex'),
  keyIds: [fingerprint, md5],
});
