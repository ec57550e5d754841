import { createHash } from 'node:crypto';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { escapeHtml } from '@forgelog/service-kit/html.ts';
import { beforeEnd } from '@forgelog/service-kit/operations.ts';
import { isMailAddress } from '../../notifications/mail-address.ts';
import { AT_ONCE, createMailSender, type SentMail } from '../../notifications/mail-sender.ts';
import { mailSettings } from '../../notifications/mail-settings.ts';
import { type Mail, placeHeaders } from '../../notifications/mail-text.ts';
import type { Posted } from '../../web-hooks/guarded-post.ts';
import type { Courier, HookBody } from '../courier.ts';
import type { Property } from '../integration.decider.ts';
import type { IntegrationRow } from '../integrations.projection.ts';
import { propertyOf } from '../wanted-message.rules.ts';
import type { Letter } from './letter.ts';
import { pipelineLetter } from './pipeline-letter.ts';
import { pushLetters } from './push-letter.ts';

/** Tells mailboxes, each by a mail of its own. Undefined where the settings name no mail server. */
export function createMailCourier(ports: ServicePorts): Courier | undefined {
  const settings = mailSettings(ports.configuration);
  if (settings === undefined) return undefined;
  const { externalUrl } = ports.directory;
  const domain = new URL(externalUrl).hostname;
  const sender = createMailSender(settings);
  const inTurn = createTurns(AT_ONCE);
  const pushLetterOf = pushLetters(ports);

  const letterOf = async (row: IntegrationRow, body: HookBody): Promise<Letter | undefined> =>
    pipelineLetter(body) ??
    pushLetterOf(body, { withDiff: propertyOf(row.properties as Property[], 'disable_diffs') !== true });

  /** The same at every attempt, so that a mailbox shows once what was sent twice. */
  function mailOf(row: IntegrationRow, eventId: string, letter: Letter, address: string): Mail {
    const { fromName, subject, text, html, project } = letter;
    const reader = createHash('sha256').update(`${letter.part} ${address}`).digest('hex').slice(0, 16);
    const why = `You get this mail because a maintainer of ${project.path} named your address in "${row.slug}".`;
    return {
      ...{ to: { name: '', address }, fromName, subject },
      messageId: `<${row.slug}.${row.id}.${eventId}.${reader}@${domain}>`,
      headers: placeHeaders(domain, String(project.id), project),
      text: `${text}\n\n-- \n${why}\n`,
      html: `${html}\n<hr><p>${escapeHtml(why)}</p>`,
    };
  }

  return {
    ...{ isOurs: true, takesEdits: false },

    async tell(row, { eventId, bodies, done }, signal) {
      let failed: SentMail | undefined;
      for (const body of bodies) {
        const letter = await letterOf(row, body);
        if (!letter) continue;
        for (const address of recipientsOf(row)) {
          const part = `${letter.part} ${address}`;
          if (done.has(part)) continue;
          const sent = await beforeEnd(
            signal,
            inTurn(() => sender.send(mailOf(row, eventId, letter, address))),
            () => new Error('stopped'),
          );
          if (sent.kind === 'sent' || sent.kind === 'refused') done.set(part, sent.kind === 'sent');
          else failed = sent;
          if (sent.kind === 'refused')
            ports.log.warn({ slug: row.slug, projectId: row.projectId, why: sent.why }, 'a mail is refused');
          if (sent.kind === 'server') return outcomeOf(failed, done);
        }
      }
      return failed || done.size > 0 ? outcomeOf(failed, done) : undefined;
    },

    close: () => sender.close(),
  };
}

function recipientsOf({ properties }: IntegrationRow): string[] {
  const recipients = String(propertyOf(properties as Property[], 'recipients') ?? '');
  return recipients.split(' ').filter(isMailAddress);
}

const outcomeOf = (failed: SentMail | undefined, done: ReadonlyMap<string, boolean>): Posted => ({
  delivered: !failed && [...done.values()].some((arrived) => arrived),
  retryable: failed !== undefined,
  status: null,
  error: failed ? 'connection' : null,
  retryAfterMs: null,
});

/** Runs so many at a time, the others in their order: a mail that waits does not use up the time of a mail. */
function createTurns(most: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
