import { withDeadline } from '@forgelog/eventing/deadline.ts';
import { createTransport } from 'nodemailer';
import type { MailSettings } from './mail-settings.ts';
import type { Mail } from './mail-text.ts';

/**
 * `later`: another attempt may do better. `server`: so for every mail, since the server cannot be reached or takes none
 * from us.
 */
export type SentMail = { kind: 'sent' } | { kind: 'refused' | 'later' | 'server'; why: string };

export interface MailSender {
  send(mail: Mail): Promise<SentMail>;
  close(): void;
}

/** Mails that are sent at the same time, each on a connection of its own that is kept for the next. */
export const AT_ONCE = 4;
const CONNECTING_MS = 10_000;
const IDLE_MS = 20_000;
const SENDING_MS = 60_000;

export function createMailSender(settings: MailSettings): MailSender {
  const { host, port, secure, requireTLS, auth, from } = settings;
  const open = () =>
    createTransport({
      ...{ host, port, secure, requireTLS, pool: true, maxConnections: AT_ONCE, maxMessages: 100 },
      ...(auth && { auth }),
      ...{ connectionTimeout: CONNECTING_MS, greetingTimeout: CONNECTING_MS, dnsTimeout: CONNECTING_MS },
      ...{ socketTimeout: IDLE_MS, disableFileAccess: true, disableUrlAccess: true },
    });
  let transport = open();

  return {
    async send({ to, fromName, headers, ...mail }) {
      const used = transport;
      const late = () => new Error('the mail server took too long');
      try {
        await withDeadline(
          used.sendMail({
            ...mail,
            from: { name: fromName, address: from.address },
            to,
            // The address as it is, and nothing that a parser finds in it.
            envelope: { from: from.address, to: [to.address] },
            headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
          }),
          SENDING_MS,
          late,
        );
        return { kind: 'sent' };
      } catch (error) {
        const outcome = outcomeOf(error);
        if (outcome.kind === 'server' && used === transport) {
          transport = open();
          used.close();
        }
        return outcome;
      }
    },

    close: () => transport.close(),
  };
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
}

/** Texts of servers name addresses, so only numbers and commands are told. */
function outcomeOf(error: unknown): SentMail {
  const { code, command, responseCode } = error as SmtpError;
  const why = [code, command, responseCode].filter((part) => part !== undefined).join(' ') || 'no answer';
  const isOfMail = command === 'RCPT TO' || command === 'DATA' || code === 'EMESSAGE';
  if (!isOfMail || responseCode === undefined) return { kind: 'server', why };
  return { kind: responseCode >= 500 ? 'refused' : 'later', why };
}
