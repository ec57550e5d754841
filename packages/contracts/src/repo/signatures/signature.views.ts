import { z } from 'zod';
import { sshKeyView } from '../../admin/user-keys/user-key.api.ts';
import { defineView } from '../../views.ts';
import examples from './signature.examples.json' with { type: 'json' };

/**
 * - `verified`: by a key of the committer, or by a certificate with their address that a trusted authority vouches for.
 * - `other_user`: by a key of somebody else.
 * - `unverified_key`: by a key that does not name the confirmed address of its owner.
 * - `unknown_key`: by a key of nobody here.
 * - `multiple_signatures`: by several keys at once, so that none is checked.
 * - `unverified`: anything else, such as a broken signature.
 */
export const VERIFICATION_STATUSES = [
  'verified',
  'unverified',
  'other_user',
  'unverified_key',
  'unknown_key',
  'multiple_signatures',
] as const;

const common = {
  verification_status: z.enum(VERIFICATION_STATUSES),
  commit_source: z.literal('gitaly'),
};

export const pgpSignatureView = defineView(
  'PgpSignature',
  {
    signature_type: z.literal('PGP'),
    ...common,
    gpg_key_id: z.int().nullable(),
    gpg_key_primary_keyid: z.string().nullable(),
    gpg_key_user_name: z.string().nullable(),
    gpg_key_user_email: z.string().nullable(),
    gpg_key_subkey_id: z.int().nullable(),
  },
  examples.PgpSignature,
);

export const sshSignatureView = defineView('SshSignature', {
  signature_type: z.literal('SSH'),
  ...common,
  key: sshKeyView.nullable(),
});

export const x509SignatureView = defineView('X509Signature', {
  signature_type: z.literal('X509'),
  ...common,
  x509_certificate: defineView('X509Certificate', {
    subject: z.string(),
    subject_key_identifier: z.string().nullable(),
    email: z.string().nullable(),
    /** Any size: serial numbers have up to 20 bytes. */
    serial_number: z.number(),
    certificate_status: z.literal('good'),
    x509_issuer: defineView('X509Issuer', {
      subject: z.string(),
      subject_key_identifier: z.string().nullable(),
      crl_url: z.string().nullable(),
    }),
  }).nullable(),
});

export const signatureView = z.union([pgpSignatureView, sshSignatureView, x509SignatureView]);
export type ShownSignature = z.input<typeof signatureView>;
