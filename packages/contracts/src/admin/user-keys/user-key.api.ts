import { z } from 'zod';
import { administrator, anyone, defineEndpoint, user } from '../../endpoint.ts';
import { datetime, described, idOrPath, int, required, text } from '../../params.ts';
import { userId } from '../../shared/common.params.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import examples from './user-key.examples.json' with { type: 'json' };

/** SSHKey (companions 3). */
export const sshKeyView = defineView(
  'SshKey',
  {
    id: z.int(),
    title: z.string(),
    key: z.string(),
    created_at: datetimeView,
    expires_at: datetimeView.nullable(),
  },
  examples.SshKey,
);
export const ownedSshKeyView = defineView(
  'SshKeyWithUser',
  { ...sshKeyView.shape, user: userView },
  examples.SshKeyWithUser,
);
/** Any key of OpenSSH: of a user, or of machines. A deploy key names who added it, and the projects that have it. */
export const foundSshKeyView = defineView(
  'FoundSshKey',
  {
    ...sshKeyView.shape,
    user: userView.nullable(),
    deploy_keys_projects: z
      .array(
        defineView('DeployKeyOfProject', {
          deploy_key_id: z.int(),
          project_id: z.int(),
          can_push: z.boolean(),
          created_at: datetimeView,
          updated_at: datetimeView,
        }),
      )
      .optional(),
  },
  examples.FoundSshKey,
);
export const gpgKeyView = defineView(
  'GpgKey',
  { id: z.int(), key: z.string(), created_at: datetimeView },
  examples.GpgKey,
);

const spec = 'companions 2.2';
const service = 'admin';
const scopes = ['api', 'read_api', 'read_user'] as const;
const keyId = described(required(int()), 'Id of the key');
const ofUser = { id: described(idOrPath(), 'Id or username of the user') };
/** Ample for a key with many names, whose signatures are checked one by one. */
const MAX_KEY = 64 * 1024;

const sshKey = {
  title: described(required(text({ max: 255 })), 'What the key is called', {
    pattern: '\\S',
    examples: ['Laptop'],
  }),
  key: described(required(text({ max: 16_384 })), 'The public key, as in `id_ed25519.pub`', {
    examples: [examples.SshKey.key],
  }),
  expires_at: described(datetime(), 'When the key ends; without it the key stays'),
};
const gpgKey = {
  key: described(
    required(text({ max: MAX_KEY })),
    'The public key in armour, as `gpg --armor --export` prints it',
    {
      examples: [examples.GpgKey.key],
    },
  ),
};

/** Endpoints of the keys of one kind: the own ones, and those of a user. */
function keyEndpoints<const New extends typeof sshKey | typeof gpgKey, View extends z.ZodType>(kind: {
  id: string;
  name: string;
  path: string;
  fields: New;
  view: View;
}) {
  const { id, name, path, fields, view } = kind;
  const common = { service, spec } as const;
  const own = { ...common, access: user, path: `/user/${path}` } as const;
  const others = { ...common, path: `/users/:id/${path}` } as const;
  return {
    listOwn: defineEndpoint({
      ...own,
      id: `${id}-list-own`,
      method: 'GET',
      scopes,
      summary: `Keys of ${name} of the caller`,
      params: {},
      pagination: 'offset',
      response: z.array(view),
    }),
    createOwn: defineEndpoint({
      ...own,
      id: `${id}-create-own`,
      method: 'POST',
      summary: `Add a key of ${name} of the caller`,
      params: fields,
      status: 201,
      response: view,
    }),
    getOwn: defineEndpoint({
      ...own,
      id: `${id}-get-own`,
      method: 'GET',
      scopes,
      path: `${own.path}/:key_id`,
      summary: `One key of ${name} of the caller`,
      params: { key_id: keyId },
      response: view,
    }),
    deleteOwn: defineEndpoint({
      ...own,
      id: `${id}-delete-own`,
      method: 'DELETE',
      path: `${own.path}/:key_id`,
      summary: `Delete a key of ${name} of the caller`,
      params: { key_id: keyId },
      status: 204,
    }),
    list: defineEndpoint({
      ...others,
      id: `${id}-list`,
      method: 'GET',
      scopes,
      access: anyone,
      summary: `Keys of ${name} of a user`,
      params: ofUser,
      pagination: 'offset',
      response: z.array(view),
    }),
    create: defineEndpoint({
      ...others,
      id: `${id}-create`,
      method: 'POST',
      access: administrator,
      summary: `Add a key of ${name} of a user`,
      params: { id: userId, ...fields },
      status: 201,
      response: view,
    }),
    get: defineEndpoint({
      ...others,
      id: `${id}-get`,
      method: 'GET',
      scopes,
      access: anyone,
      path: `${others.path}/:key_id`,
      summary: `One key of ${name} of a user`,
      params: { ...ofUser, key_id: keyId },
      response: view,
    }),
    delete: defineEndpoint({
      ...others,
      id: `${id}-delete`,
      method: 'DELETE',
      access: administrator,
      path: `${others.path}/:key_id`,
      summary: `Delete a key of ${name} of a user`,
      params: { id: userId, key_id: keyId },
      status: 204,
    }),
  };
}

export const sshKeyEndpoints = keyEndpoints({
  id: 'ssh-key',
  name: 'OpenSSH',
  path: 'keys',
  fields: sshKey,
  view: sshKeyView,
});

export const gpgKeyEndpoints = keyEndpoints({
  id: 'gpg-key',
  name: 'OpenPGP',
  path: 'gpg_keys',
  fields: gpgKey,
  view: gpgKeyView,
});

export const getAnySshKey = defineEndpoint({
  id: 'key-get',
  service,
  method: 'GET',
  path: '/keys/:key_id',
  summary: 'One key of OpenSSH, with its user',
  spec,
  access: administrator,
  params: { key_id: keyId },
  response: ownedSshKeyView,
});

export const findSshKey = defineEndpoint({
  id: 'key-find',
  service,
  method: 'GET',
  path: '/keys',
  summary: 'The key of OpenSSH that has a fingerprint, with its user; a deploy key with its projects',
  spec,
  access: administrator,
  params: {
    fingerprint: described(
      required(text({ max: 255 })),
      'Fingerprint as `ssh-keygen -l` prints it: `SHA256:` and Base64, or pairs of hexadecimal digits',
    ),
  },
  response: foundSshKeyView,
});

export const userKeyEndpoints = [
  ...Object.values(sshKeyEndpoints),
  ...Object.values(gpgKeyEndpoints),
  getAnySshKey,
  findSshKey,
];
