import type { Configuration } from '@forgelog/service-kit/configuration.ts';

/** Where mails go out, and as whose; undefined where none is sent. */
export interface MailSettings {
  host: string;
  port: number;
  /** TLS from the first byte. */
  secure: boolean;
  /** Without TLS a password would be read by whoever listens; nothing leaves the machine itself. */
  requireTLS: boolean;
  auth: { user: string; pass: string } | undefined;
  from: { name: string; address: string };
  delayMs: number;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;

export function mailSettings({
  SMTP_URL,
  MAIL_FROM,
  MAIL_DELAY_SECONDS,
}: Pick<Configuration, 'SMTP_URL' | 'MAIL_FROM' | 'MAIL_DELAY_SECONDS'>): MailSettings | undefined {
  if (SMTP_URL === undefined || MAIL_FROM === undefined) return undefined;
  const url = new URL(SMTP_URL);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const auth = url.username
    ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
    : undefined;
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: !secure && auth !== undefined && !LOOPBACK.test(host),
    auth,
    from: MAIL_FROM,
    delayMs: MAIL_DELAY_SECONDS * 1000,
  };
}
