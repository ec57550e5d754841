import { z } from 'zod';
import { anyone, defineEndpoint, group } from '../../endpoint.ts';
import { described, int, required, text } from '../../params.ts';
import { groupId } from '../../shared/common.params.ts';
import { RASTER_TYPES } from '../../shared/raster-types.ts';
import { defineView } from '../../views.ts';
import examples from './avatar.examples.json' with { type: 'json' };

export const avatarView = defineView('Avatar', { avatar_url: z.string().nullable() }, examples.Avatar);

export const findAvatar = defineEndpoint({
  id: 'avatar-find',
  service: 'admin',
  method: 'GET',
  path: '/avatar',
  summary: 'Address of the avatar of the user who shows this e-mail address; null where nobody does',
  spec: 'companions 2.11',
  access: anyone,
  params: {
    email: described(required(text({ max: 255 }), { blank: true }), 'Public e-mail address of the user', {
      examples: ['ada@example.org'],
    }),
    size: described(int({ min: 1 }), 'Pixels of one side; ignored, as there is one size'),
  },
  response: avatarView,
});

/** Answers at `/uploads/-/system/user/avatar/:id/…` too, as `avatar_url` has it. */
export const getUserAvatar = defineEndpoint({
  id: 'user-avatar-get',
  service: 'admin',
  method: 'GET',
  path: '/users/:id/avatar',
  summary: 'Avatar of a user',
  spec: 'companions 2.2',
  access: anyone,
  params: { id: described(required(int()), 'Id of the user') },
  mediaTypes: RASTER_TYPES,
  otherStatuses: [304],
});

/** Answers at `/uploads/-/system/group/avatar/:id/…` too. */
export const getGroupAvatar = defineEndpoint({
  id: 'group-avatar-get',
  service: 'admin',
  method: 'GET',
  path: '/groups/:id/avatar',
  summary: 'Avatar of a group',
  spec: 'companions 2.4',
  access: group('anyone'),
  params: { id: groupId },
  mediaTypes: RASTER_TYPES,
  otherStatuses: [304],
});

export const avatarEndpoints = [findAvatar, getUserAvatar, getGroupAvatar];
