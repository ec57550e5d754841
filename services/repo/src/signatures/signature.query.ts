import { getCACertificates } from 'node:tls';
import {
  findSigningKey,
  MAX_SIGNERS,
  type SigningKey,
} from '@forgelog/contracts/admin/user-keys/user-key.operations.ts';
import type { ShownSignature } from '@forgelog/contracts/repo/signatures/signature.views.ts';
import type { SignedObject } from '@forgelog/git/objects/signed-object.ts';
import { readSshSignature } from '@forgelog/signatures/ssh-signature.ts';
import type { RepoPorts } from '../ports.ts';
import type { Verdicts } from './verdicts.ts';

export interface Signed extends SignedObject {
  projectId: number;
  oid: string;
  /** The address of the committer or tagger. */
  email: string;
}

/** TypeScript does not know it yet. */
const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): number };

type Status = ShownSignature['verification_status'];
type Ports = Pick<RepoPorts, 'operations' | 'directory' | 'host'> & { verdicts: Verdicts };

/** No key makes a larger one; each is read whole. */
const MAX_SIGNATURE = 64 * 1024;

/** Verifies a signature, and names the key or certificate that made it. Large libraries load with the first one. */
export function describeSignature(ports: Ports, signed: Signed): Promise<ShownSignature> {
  const { signature } = signed;
  const known = signature.length > MAX_SIGNATURE ? { ...signed, signature: '' } : signed;
  if (signature.startsWith('-----BEGIN SSH')) return bySsh(ports, known);
  if (signature.startsWith('-----BEGIN SIGNED')) return byCertificate(ports, known);
  return byPgp(ports, known);
}

const find = async ({ operations }: Ports, kind: 'ssh' | 'gpg', keyIds: string[], email: string) =>
  operations.call(findSigningKey, { kind, keyIds: keyIds.slice(0, MAX_SIGNERS), email }, { principal: null });

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

async function byPgp(
  ports: Ports,
  { payload, signature, email, ...object }: Signed,
): Promise<ShownSignature> {
  const { isPgpSigned, pgpSigners } = await import('@forgelog/signatures/pgp-signature.ts');
  const signers = await pgpSigners(signature);
  const { key } = await find(ports, 'gpg', signers, email);
  const identity = key?.identities.find((one) => isSame(one.email, key.email)) ?? key?.identities[0];
  const verify = (with_: SigningKey) =>
    ports.verdicts.of(object.projectId, object.oid, `gpg ${with_.id}`, () =>
      isPgpSigned(payload, signature, with_.key),
    );
  return {
    signature_type: 'PGP',
    verification_status: await pgpStatus(signers, key, email, verify),
    gpg_key_id: key?.id ?? null,
    gpg_key_primary_keyid: (key?.keyIds[0] ?? signers[0])?.toUpperCase() ?? null,
    gpg_key_user_name: identity?.name ?? null,
    gpg_key_user_email: identity?.email ?? null,
    // Subkeys have no ids of their own here.
    gpg_key_subkey_id: null,
    commit_source: 'gitaly',
  };
}

async function pgpStatus(
  signers: readonly string[],
  key: SigningKey | null,
  email: string,
  verify: (key: SigningKey) => Promise<boolean>,
): Promise<Status> {
  if (signers.length === 0) return 'unverified';
  if (signers.length > 1) return 'multiple_signatures';
  if (!key) return 'unknown_key';
  const namesOwner = key.confirmed && key.identities.some((one) => isSame(one.email, key.email));
  if (!namesOwner) return 'unverified_key';
  if (!(await verify(key))) return 'unverified';
  return isSame(key.email, email) ? 'verified' : 'other_user';
}

async function bySsh(
  ports: Ports,
  { payload, signature, email, ...object }: Signed,
): Promise<ShownSignature> {
  const parsed = readSshSignature(signature);
  const { key, userOfEmail } = await find(ports, 'ssh', parsed ? [parsed.fingerprint] : [], email);
  const isSigned =
    parsed !== undefined &&
    (await ports.verdicts.of(object.projectId, object.oid, 'ssh', () => parsed.signs(payload)));
  let status: Status = 'verified';
  if (!isSigned) status = 'unverified';
  else if (!key) status = 'unknown_key';
  else if (userOfEmail !== key.userId) status = 'other_user';
  return {
    signature_type: 'SSH',
    verification_status: status,
    key: key && (await sshKey(ports, key)),
    commit_source: 'gitaly',
  };
}

async function sshKey(
  { directory, host }: Ports,
  { id, title, key, userId, createdAt, expiresAt }: SigningKey,
) {
  const owner = (await directory.user(userId))?.name ?? '';
  return {
    id,
    title: title ?? '',
    key: `${key} ${owner} (${new URL(host).hostname})`,
    created_at: createdAt,
    expires_at: expiresAt,
  };
}

async function byCertificate({ verdicts }: Ports, signed: Signed): Promise<ShownSignature> {
  const { payload, signature, email, projectId, oid } = signed;
  const { readCmsSignature } = await import('@forgelog/signatures/cms-signature.ts');
  const parsed = readCmsSignature(signature);
  const certificate = parsed?.certificate;
  const isOwn = certificate?.emails.some((one) => isSame(one, email)) ?? false;
  const isVerified =
    isOwn && (await verdicts.of(projectId, oid, 'x509', () => parsed!.signs(payload, getCACertificates())));
  return {
    signature_type: 'X509',
    verification_status: isVerified ? 'verified' : 'unverified',
    x509_certificate: certificate
      ? {
          subject: certificate.subject,
          subject_key_identifier: certificate.subjectKeyId,
          email: certificate.emails[0] ?? null,
          // JSON has numbers of any size.
          serial_number: rawJson(String(certificate.serialNumber)),
          certificate_status: 'good',
          x509_issuer: {
            subject: certificate.issuer.subject,
            subject_key_identifier: certificate.issuer.subjectKeyId,
            crl_url: certificate.issuer.crlUrl,
          },
        }
      : null,
    commit_source: 'gitaly',
  };
}
