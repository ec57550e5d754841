import {
  addEmail,
  addOwnEmail,
  askToConfirmEmail,
  confirmEmail,
  deleteEmail,
  deleteOwnEmail,
  getOwnEmail,
  listEmails,
  listOwnEmails,
} from '@forgelog/contracts/admin/user-emails/user-email.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { emailStream, NameTakenError } from '@forgelog/directory/name.decider.ts';
import { createNames } from '@forgelog/directory/names.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { asc, eq } from '@forgelog/eventing/query.ts';
import { type Answer, json, noContent } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { emailConfirmations } from '@forgelog/service-kit/email-confirmation.ts';
import { escapeHtml, pageOfMail } from '@forgelog/service-kit/html.ts';
import { pageOf } from '@forgelog/service-kit/pagination.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { userStream } from '../users/user.decider.ts';
import { userEmailDecider } from './user-email.decider.ts';
import { userEmailJson } from './user-email.view.ts';
import { type UserEmailRow, userEmails } from './user-emails.projection.ts';

interface NewEmail {
  userId: number;
  email: string;
  confirmed: boolean;
}

export function userEmailRoutes(ports: ServicePorts): Implementation[] {
  const { commands, configuration, directory, ids, readStore } = ports;
  const view = userEmailJson.renderer(ports);
  const names = createNames(ports);
  const tokens = emailConfirmations(configuration);
  const missing = () => new Rejection('not_found', { what: 'Email' });

  async function requireUser(id: number): Promise<number> {
    const found = await directory.user(id);
    if (!found || found.state === 'deleted') throw new Rejection('not_found', { what: 'User' });
    return id;
  }

  async function requireEmail(id: number, userId: number): Promise<UserEmailRow> {
    const row = await readStore.get(userEmails, id);
    if (row?.userId !== userId) throw missing();
    return row;
  }

  async function listOf(userId: number, page: ApiRequest['page']): Promise<Answer> {
    const where = eq('userId', userId);
    const { documents, next } = await pageOf(readStore, userEmails, { where, sort: [asc('id')], page });
    return { kind: 'list', items: view.list(documents), next };
  }

  async function created({ userId, email, confirmed }: NewEmail, metadata: EventMetadata): Promise<Answer> {
    const stream = userStream(userId);
    const commandFor = (userEmailId: number) =>
      ({ type: 'CreateUserEmail', userId, userEmailId, email, confirmed }) as const;
    const { state } = await commands.load(userEmailDecider, stream);
    // Validate before reserving an id and claiming a name.
    const [decided] = userEmailDecider.decide(commandFor(0), state);
    if (decided?.type === 'UserEmailConfirmed') {
      await commands.handle(userEmailDecider, stream, commandFor(0), metadata);
      return json(view.one(await requireEmail(decided.data.userEmailId, userId)), { status: 201 });
    }
    const holder = { kind: 'user', id: userId } as const;
    const take = [emailStream(email)];
    await names.requireFree(take, holder).catch(refuseTaken);
    const userEmailId = await ids.next('userEmail');
    await names
      .claimed(holder, { take }, metadata, (at) =>
        commands.handle(userEmailDecider, stream, commandFor(userEmailId), metadata, { at }),
      )
      .catch(refuseTaken);
    return json(view.one(await requireEmail(userEmailId, userId)), { status: 201 });
  }

  async function deleted(userEmailId: number, userId: number, metadata: EventMetadata): Promise<Answer> {
    const { email } = await requireEmail(userEmailId, userId);
    const command = { type: 'DeleteUserEmail', userId, userEmailId } as const;
    await names.claimed(
      { kind: 'user', id: userId },
      { take: [], leave: [emailStream(email)] },
      metadata,
      (at) => commands.handle(userEmailDecider, userStream(userId), command, metadata, { at }),
    );
    return noContent();
  }

  async function named(token: string): Promise<UserEmailRow> {
    const one = tokens.read(token);
    if (!one) throw missing();
    return requireEmail(one.userEmailId, one.userId);
  }

  return [
    implement(listOwnEmails, ({ caller, page }) => listOf(caller.userId, page)),
    implement(addOwnEmail, ({ params: { email }, caller: { userId }, metadata }) =>
      created({ userId, email, confirmed: false }, metadata),
    ),
    implement(getOwnEmail, async ({ params, caller }) =>
      json(view.one(await requireEmail(params.email_id, caller.userId))),
    ),
    implement(deleteOwnEmail, ({ params, caller, metadata }) =>
      deleted(params.email_id, caller.userId, metadata),
    ),
    implement(listEmails, async ({ params, page }) => listOf(await requireUser(params.id), page)),
    implement(addEmail, async ({ params: { id, email, skip_confirmation: confirmed }, metadata }) =>
      created({ userId: await requireUser(id), email, confirmed }, metadata),
    ),
    implement(deleteEmail, async ({ params, metadata }) =>
      deleted(params.email_id, await requireUser(params.id), metadata),
    ),

    implement(askToConfirmEmail, async ({ params }) => {
      const { email, userId } = await named(params.token);
      const user = await directory.user(userId);
      return pageOfMail(
        'E-mail address',
        `<form method="post"><p>Is ${escapeHtml(email)} an address of the account ${escapeHtml(user?.username ?? '')}?</p>` +
          '<button>Confirm</button></form>',
      );
    }),
    implement(confirmEmail, async ({ params, metadata }) => {
      const { id: userEmailId, userId } = await named(params.token);
      const command = { type: 'ConfirmUserEmail', userId, userEmailId } as const;
      // Whoever has the mail acts as the owner of the address.
      const asOwner = { ...metadata, actorId: userId };
      await commands.handle(userEmailDecider, userStream(userId), command, asOwner);
      return pageOfMail('E-mail address', '<p>The address is confirmed.</p>');
    }),
  ];
}

/** Whether one's own or another's, an address is one user's. */
function refuseTaken(error: unknown): never {
  if (!(error instanceof NameTakenError)) throw error;
  throw new Rejection('validation_failed', { fields: { email: ['has already been taken'] } });
}
