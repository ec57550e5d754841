import { z } from 'zod';
import { administrator, anyone, defineEndpoint, user } from '../../endpoint.ts';
import { bool, described, fallback, int, required, text } from '../../params.ts';
import { userId } from '../../shared/common.params.ts';
import { datetimeView, defineView } from '../../views.ts';
import examples from './user-email.examples.json' with { type: 'json' };

/** A further address of a user (companions 2.2). That of the account is in the user. */
export const userEmailView = defineView(
  'UserEmail',
  { id: z.int(), email: z.string(), confirmed_at: datetimeView.nullable() },
  examples.UserEmail,
);

const service = 'admin';
const spec = 'companions 2.2';
const reads = ['api', 'read_api', 'read_user'] as const;
const own = { service, spec, access: user } as const;
const others = { service, spec, access: administrator } as const;
const emailId = { email_id: described(required(int()), 'Id of the address') };
const address = {
  email: described(required(text({ max: 255 })), 'The address', { examples: ['ada@engines.example'] }),
};

export const listOwnEmails = defineEndpoint({
  ...own,
  id: 'email-list-own',
  method: 'GET',
  path: '/user/emails',
  scopes: reads,
  summary: 'Further e-mail addresses of the caller',
  params: {},
  pagination: 'offset',
  response: z.array(userEmailView),
});

export const addOwnEmail = defineEndpoint({
  ...own,
  id: 'email-create-own',
  method: 'POST',
  path: '/user/emails',
  summary: 'Add an e-mail address of the caller, who confirms it by the link in a mail',
  params: address,
  status: 201,
  response: userEmailView,
});

export const getOwnEmail = defineEndpoint({
  ...own,
  id: 'email-get-own',
  method: 'GET',
  path: '/user/emails/:email_id',
  scopes: reads,
  summary: 'One further e-mail address of the caller',
  params: emailId,
  response: userEmailView,
});

export const deleteOwnEmail = defineEndpoint({
  ...own,
  id: 'email-delete-own',
  method: 'DELETE',
  path: '/user/emails/:email_id',
  summary: 'Delete a further e-mail address of the caller',
  params: emailId,
  status: 204,
});

export const listEmails = defineEndpoint({
  ...others,
  id: 'email-list',
  method: 'GET',
  path: '/users/:id/emails',
  summary: 'Further e-mail addresses of a user',
  params: { id: userId },
  pagination: 'offset',
  response: z.array(userEmailView),
});

export const addEmail = defineEndpoint({
  ...others,
  id: 'email-create',
  method: 'POST',
  path: '/users/:id/emails',
  summary: 'Add an e-mail address of a user, or confirm one that the user added',
  params: {
    id: userId,
    ...address,
    skip_confirmation: described(
      fallback(bool(), false),
      'Whether the address is known to be theirs; one that waits for its confirmation is confirmed by it',
    ),
  },
  status: 201,
  response: userEmailView,
});

export const deleteEmail = defineEndpoint({
  ...others,
  id: 'email-delete',
  method: 'DELETE',
  path: '/users/:id/emails/:email_id',
  summary: 'Delete a further e-mail address of a user',
  params: { id: userId, ...emailId },
  status: 204,
});

const byMail = {
  service,
  spec,
  access: anyone,
  path: '/email_confirmations/:token',
  params: {
    token: described(
      required(text({ max: 100 })),
      'What the mail names: it is signed, and says which address',
    ),
  },
  mediaTypes: ['text/html'],
} as const;

/** Programs that look at links in mails confirm nothing by it. */
export const askToConfirmEmail = defineEndpoint({
  ...byMail,
  id: 'email-confirmation-ask',
  method: 'GET',
  summary: 'Page that asks whether an address is of the account that names it',
});

export const confirmEmail = defineEndpoint({
  ...byMail,
  id: 'email-confirmation',
  method: 'POST',
  summary: 'Confirm an e-mail address by the link in a mail, without signing in',
});

export const userEmailEndpoints = [
  listOwnEmails,
  addOwnEmail,
  getOwnEmail,
  deleteOwnEmail,
  listEmails,
  addEmail,
  deleteEmail,
  askToConfirmEmail,
  confirmEmail,
];
