import { X509Certificate } from 'node:crypto';
import {
  type AltName,
  type AuthorityKeyIdentifier,
  Certificate,
  ContentInfo,
  type CRLDistributionPoints,
  SignedData,
} from 'pkijs';

/** The certificate that a signature of `gpgsm` or `smimesign` was made with. */
export interface SigningCertificate {
  subject: string;
  /** Pairs of hexadecimal digits; null where the certificate has none. */
  subjectKeyId: string | null;
  emails: string[];
  serialNumber: bigint;
  issuer: { subject: string; subjectKeyId: string | null; crlUrl: string | null };
}

export interface CmsSignature {
  certificate: SigningCertificate;
  /** Whether it signed this payload, and one of the trusted authorities (in PEM) vouches for it. */
  signs(payload: Uint8Array, trusted: readonly string[]): Promise<boolean>;
}

/** A chain is searched for among them, which takes long where many have one name. */
const MOST_CERTIFICATES = 10;

/** Parses an armoured signature by a certificate; undefined for anything else. */
export function readCmsSignature(armored: string): CmsSignature | undefined {
  const body = /^-----BEGIN SIGNED MESSAGE-----([A-Za-z0-9+/=\s]+)-----END SIGNED MESSAGE-----\s*$/.exec(
    armored,
  );
  if (!body) return undefined;
  try {
    const content = ContentInfo.fromBER(Buffer.from(body[1]!, 'base64'));
    const signed = new SignedData({ schema: content.content });
    const certificates = (signed.certificates ?? []).filter((one) => one instanceof Certificate);
    const [signer, ...others] = signed.signerInfos;
    const own = certificates.find((one) => signer?.sid?.serialNumber?.isEqual?.(one.serialNumber));
    if (!own || others.length > 0 || certificates.length > MOST_CERTIFICATES) return undefined;
    return {
      certificate: described(own),
      signs: (payload, trusted) => isSigned(signed, payload, trusted),
    };
  } catch {
    return undefined;
  }
}

async function isSigned(
  signed: SignedData,
  payload: Uint8Array,
  trusted: readonly string[],
): Promise<boolean> {
  try {
    const result = await signed.verify({
      signer: 0,
      data: new Uint8Array(payload).buffer,
      trustedCerts: authoritiesOf(signed, trusted),
      checkChain: true,
      extendedMode: true,
    });
    return result.signatureVerified === true && result.signerCertificateVerified === true;
  } catch {
    return false;
  }
}

/** Those of the trusted ones that a certificate names. Parsing all of them takes longer than verifying. */
function authoritiesOf({ certificates = [] }: SignedData, trusted: readonly string[]): Certificate[] {
  const known = certificates.filter((one) => one instanceof Certificate).map(parsedByNode);
  const named = new Set(known.flatMap(({ subject, issuer }) => [subject, issuer]));
  return trusted
    .map((pem) => new X509Certificate(pem))
    .filter(({ subject }) => named.has(subject))
    .map(({ raw }) => Certificate.fromBER(raw));
}

const parsedByNode = (certificate: Certificate) =>
  new X509Certificate(Buffer.from(certificate.toSchema().toBER()));

const OIDS = {
  subjectKey: '2.5.29.14',
  alternativeName: '2.5.29.17',
  crlPoints: '2.5.29.31',
  authorityKey: '2.5.29.35',
  email: '1.2.840.113549.1.9.1',
};
/** Kinds of a GeneralName. */
const EMAIL = 1;
const ADDRESS = 6;

function described(own: Certificate): SigningCertificate {
  const { subject, issuer, serialNumber } = parsedByNode(own);
  const extension = <T>(id: string): T | undefined =>
    own.extensions?.find(({ extnID }) => extnID === id)?.parsedValue as T | undefined;
  const names = extension<AltName>(OIDS.alternativeName)?.altNames ?? [];
  const inSubject = own.subject.typesAndValues.filter(({ type }) => String(type) === OIDS.email);
  const points = extension<CRLDistributionPoints>(OIDS.crlPoints)?.distributionPoints ?? [];
  const crls = points.flatMap(({ distributionPoint }) =>
    Array.isArray(distributionPoint) ? distributionPoint : [],
  );
  return {
    subject: subject.replaceAll('\n', ','),
    subjectKeyId: pairs(extension<OctetString>(OIDS.subjectKey)),
    emails: [
      ...names.filter(({ type }) => type === EMAIL).map(({ value }) => String(value)),
      ...inSubject.map(({ value }) => value.valueBlock.value as string),
    ],
    serialNumber: BigInt(`0x${serialNumber}`),
    issuer: {
      subject: issuer.replaceAll('\n', ','),
      subjectKeyId: pairs(extension<AuthorityKeyIdentifier>(OIDS.authorityKey)?.keyIdentifier),
      crlUrl: crls.find(({ type }) => type === ADDRESS)?.value ?? null,
    },
  };
}

type OctetString = NonNullable<AuthorityKeyIdentifier['keyIdentifier']>;

const pairs = (bytes: OctetString | undefined): string | null =>
  bytes
    ? Buffer.from(bytes.valueBlock.valueHexView)
        .toString('hex')
        .toUpperCase()
        .replace(/..(?=.)/g, '$&:')
    : null;
