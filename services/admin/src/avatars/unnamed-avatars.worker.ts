import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { removeUnnamedAvatars } from '@forgelog/service-kit/avatar-ends.ts';
import { createObjectSweeper } from '@forgelog/service-kit/object-sweeper.ts';
import type { Worker } from '@forgelog/service-kit/slice.ts';
import { groupAvatar, userAvatar } from './current-avatars.query.ts';

export const unnamedAvatarSweeper = (ports: ServicePorts): Worker =>
  createObjectSweeper(ports, 'avatars that are nobody’s', async (signal) => {
    await removeUnnamedAvatars(ports, 'user', (id) => userAvatar(ports.readStore, id), signal);
    await removeUnnamedAvatars(ports, 'group', (id) => groupAvatar(ports.readStore, id), signal);
  });
