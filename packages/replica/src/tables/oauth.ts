import { defineRecords, flag, json, type Part, reference, text, whole } from '../table.ts';

export const oauth: Part = {
  events: {
    OauthApplicationCreated: 1,
    OauthApplicationDeleted: 1,
    OauthAuthorizationGranted: 1,
    // Every refresh is one: `events` has it, and no column.
    OauthTokensIssued: 1,
    OauthAuthorizationRevoked: 1,
    OauthAuthorizationEnded: 1,
  },
  records: [
    defineRecords({
      kind: 'OauthApplication',
      name: 'oauth_applications',
      about: 'Programs that people let act for them by OAuth 2, without their secrets.',
      key: ['oauth_application_id'],
      columns: {
        oauth_application_id: whole('oauthApplicationId', 'Id of the application.'),
        client_id: text('clientId', 'Name by which it tells who it is.'),
        name: text('name', 'Name that people see when they are asked.'),
        redirect_uris: json('redirectUris', 'Addresses to which people may be sent back'),
        scopes: json('scopes', 'What it may ask for'),
        confidential: flag('confidential', 'Whether it can keep its secret'),
      },
      compare: {
        select: 'SELECT * FROM oauth_applications WHERE ended_at IS NULL',
        key: ['oauth_application_id'],
        async *served(api) {
          for await (const { id, application_id, application_name } of api.list('/applications'))
            yield { oauth_application_id: id, client_id: application_id, name: application_name };
        },
      },
    }),
    defineRecords({
      kind: 'OauthAuthorization',
      name: 'oauth_authorizations',
      about: 'Which programs may act for whom, without the tokens.',
      key: ['authorization_id'],
      columns: {
        authorization_id: text('authorizationId', 'Id of the authorization, a UUID.'),
        user_id: reference('userId', 'Id of the user as whom its tokens act.'),
        oauth_application_id: reference(
          'oauthApplicationId',
          'Id of the application; null where a password was exchanged without one.',
        ),
        scopes: json('scopes', 'What it may be used for'),
      },
    }),
  ],
};
