import { UserEmailCreated } from '@forgelog/contracts/admin/user-emails/user-email.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { definePolicy } from '@forgelog/eventing/define-policy.ts';
import { BEGINNING, bySystem, type Position, type RecordedEvent } from '@forgelog/eventing/event.ts';
import type { Policy } from '@forgelog/eventing/policy.ts';
import { emailConfirmations } from '@forgelog/service-kit/email-confirmation.ts';
import { isMailAddress } from './mail-address.ts';
import { framed } from './mail-frame.ts';
import { type Attempt, type Batch, MailQueue, type Queued } from './mail-queue.ts';
import { createMailSender, type MailSender } from './mail-sender.ts';
import { mailSettings } from './mail-settings.ts';
import type { Mail } from './mail-text.ts';
import { notificationMailDecider, notificationMailStream } from './notification-mail.decider.ts';

const PAUSES_MS = [1_000, 5_000, 25_000, 120_000, 600_000];
/** A mail that waits for so long is not sent any more: its user has asked again. */
const MOST_AGE_MS = 24 * 60 * 60 * 1000;
/** A user who adds the addresses of strangers sends them so many mails an hour. Others wait, and end with their address. */
const MOST_AN_HOUR = 10;
const HOUR_MS = 60 * 60 * 1000;
const ENDING_MS = 1_500;

interface Entry {
  userEmailId: number;
  address: string;
  event: RecordedEvent;
}

/** Asks at each new address whether it is of the account that names it. Without a mail server in the settings it asks nobody. */
export function confirmationMailPolicies(ports: ServicePorts): Policy[] {
  const { clock, commands, configuration, directory, log } = ports;
  const settings = mailSettings(configuration);
  const tokens = emailConfirmations(configuration);
  const host = directory.externalUrl;
  const sentAt = new Map<number, number[]>();
  let queue: MailQueue<Entry> | undefined;
  let sender: MailSender | undefined;
  let handed: Position = BEGINNING;

  const isOld = ({ time }: RecordedEvent) => clock().getTime() - Date.parse(time) > MOST_AGE_MS;
  const pauseAfter = (attempts: number) => PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1]!;

  /** Milliseconds until the user may send one more. */
  function waitOf(userId: number): number {
    const now = performance.now();
    const recent = (sentAt.get(userId) ?? []).filter((at) => at > now - HOUR_MS);
    if (recent.length === 0) sentAt.delete(userId);
    else sentAt.set(userId, recent);
    return recent.length < MOST_AN_HOUR ? 0 : recent[0]! + HOUR_MS - now;
  }

  function mailTo(address: string, username: string, { userId, userEmailId }: Asked): Mail {
    const link = `${host}/api/v4/email_confirmations/${tokens.of({ userId, userEmailId })}`;
    const { hostname } = new URL(host);
    const sentence = `The account ${username} at ${host} names this address as its own.`;
    const otherwise = 'If it is not yours, do nothing: it stays unconfirmed.';
    return {
      to: { name: '', address },
      fromName: settings!.from.name,
      subject: 'Confirm your e-mail address',
      messageId: `<UserEmail-${userEmailId}@${hostname}>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      text: `${sentence}\n\nConfirm it: ${link}\n\n${otherwise}\n`,
      html: `<p>${sentence}</p>\n<p><a href="${link}">Confirm it</a></p>\n<p>${otherwise}</p>\n`,
    };
  }

  async function tell(batch: Batch<Entry>, queued: readonly Queued<Entry>[]): Promise<Attempt> {
    try {
      return await attempt(batch, queued[0]!.entry);
    } catch (error) {
      log.error({ err: error }, 'a mail could not be made; tried again later');
      return { kind: 'later', ms: pauseAfter(batch.attempts) };
    }
  }

  async function attempt(
    { userId, thread, attempts }: Batch<Entry>,
    { userEmailId, address, event }: Entry,
  ): Promise<Attempt> {
    const stream = notificationMailStream(userId, thread);
    const { state: toldUpTo } = await commands.load(notificationMailDecider, stream);
    const [user, email] = [await directory.user(userId), await directory.furtherEmail(userEmailId)];
    if (event.position <= toldUpTo || user?.state !== 'active' || !email || email.confirmed)
      return { kind: 'done' };
    const end = (outcome: 'sent' | 'refused' | 'given_up') =>
      commands.handle(
        notificationMailDecider,
        stream,
        {
          ...{ type: 'EndNotificationMail', userId, thread, outcome, attempts },
          ...{ eventIds: [event.id], projectId: null, groupId: null, toldUpTo: event.position },
        },
        bySystem(event),
        { unprojected: true },
      );
    if (isOld(event) || !isMailAddress(address)) {
      await end(isOld(event) ? 'given_up' : 'refused');
      return { kind: 'done' };
    }
    const wait = waitOf(userId);
    if (wait > 0) return { kind: 'later', ms: wait };
    const mail = await framed(mailTo(address, user.username, { userId, userEmailId }), ports);
    const sent = await sender!.send(mail);
    if (sent.kind === 'sent' || sent.kind === 'refused') {
      sentAt.set(userId, [...(sentAt.get(userId) ?? []), performance.now()]);
      await end(sent.kind);
      return { kind: 'done' };
    }
    log.warn({ userId, thread, attempts, why: sent.why }, 'a mail was not sent; tried again later');
    return { kind: sent.kind === 'later' ? 'later' : 'pause', ms: pauseAfter(attempts) };
  }

  return [
    definePolicy({
      name: 'confirmation-mails',
      handles: [UserEmailCreated],
      actsAs: 'system',
      async react(event) {
        const { userEmailId, userId, email: address, confirmed } = event.data;
        // A server that begins to send mails does not begin with what happened before.
        if (queue && !confirmed && !isOld(event))
          queue.add(userId, `UserEmail-${userEmailId}`, [
            { entry: { userEmailId, address, event }, after: handed },
          ]);
        handed = event.position;
      },
      outlasting: {
        async begin(position, moved) {
          handed = position;
          if (settings === undefined) return;
          sender = createMailSender(settings);
          queue = new MailQueue({ tell, moved, now: () => performance.now() }, { delayMs: 0, atOnce: 1 });
        },
        unfinished: () => queue?.unfinished,
        async end() {
          await queue?.stop(ENDING_MS);
          sender?.close();
        },
      },
    }),
  ];
}

interface Asked {
  userId: number;
  userEmailId: number;
}
