import { z } from 'zod';
import { administrator, defineEndpoint } from '../../endpoint.ts';
import { bool, described, fallback, int, required, text } from '../../params.ts';
import { defineView } from '../../views.ts';
import examples from './oauth-application.examples.json' with { type: 'json' };

/** A program that people let act for them (companions 2.1). */
export const oauthApplicationView = defineView(
  'Application',
  {
    id: z.int(),
    application_id: z.string(),
    application_name: z.string(),
    callback_url: z.string(),
    confidential: z.boolean(),
  },
  examples.Application,
);

/** The secret appears only in the answer that creates it. */
export const newOauthApplicationView = defineView(
  'CreatedApplication',
  { ...oauthApplicationView.shape, secret: z.string() },
  examples.CreatedApplication,
);

const common = { service: 'admin', spec: 'companions 2.1', access: administrator } as const;

export const listOauthApplications = defineEndpoint({
  ...common,
  id: 'application-list',
  method: 'GET',
  path: '/applications',
  summary: 'Programs that may ask people for access by OAuth 2',
  params: {},
  pagination: 'offset',
  response: z.array(oauthApplicationView),
});

export const createOauthApplication = defineEndpoint({
  ...common,
  id: 'application-create',
  method: 'POST',
  path: '/applications',
  summary: 'Register a program for OAuth 2; its secret is in this answer and nowhere else',
  params: {
    name: described(required(text({ max: 255 })), 'Name that people see when they are asked', {
      pattern: '\\S',
      examples: ['Dashboard'],
    }),
    redirect_uri: described(
      required(text({ max: 10_000 })),
      'Addresses to which people may be sent back, one a line; compared to the letter',
      { examples: ['https://dashboard.example/callback'] },
    ),
    scopes: described(required(text({ max: 255 })), 'What it may ask for, separated by spaces', {
      examples: ['api read_user'],
    }),
    confidential: described(
      fallback(bool(), true),
      'Whether it can keep its secret; programs on devices of people cannot',
    ),
  },
  status: 201,
  response: newOauthApplicationView,
});

export const deleteOauthApplication = defineEndpoint({
  ...common,
  id: 'application-delete',
  method: 'DELETE',
  path: '/applications/:id',
  summary: 'Delete a program, and all access that people gave it',
  params: { id: described(required(int()), 'Id of the application') },
  status: 204,
});

export const oauthApplicationEndpoints = [
  listOauthApplications,
  createOauthApplication,
  deleteOauthApplication,
];
