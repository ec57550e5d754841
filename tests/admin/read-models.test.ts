import {
  accessTokens,
  accessTokensProjection,
} from '@forgelog/admin/access-tokens/access-tokens.projection.ts';
import { groups, groupsProjection } from '@forgelog/admin/groups/groups.projection.ts';
import { users, usersProjection } from '@forgelog/admin/users/users.projection.ts';
import { events } from '@forgelog/contracts/events.ts';
import { openMemoryReadStore } from '@forgelog/eventing/adapters/memory/memory-read-store.ts';
import { createCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import { createProjectors } from '@forgelog/eventing/projector.ts';
import { expect, test } from 'vitest';
import { createGroup, createUser } from '../support/accounts.ts';
import { forgelogForTest } from '../support/forgelog.ts';

test('read models that are built again from the log are the same', async () => {
  const forgelog = await forgelogForTest();
  const { system } = forgelog;
  const ada = await createUser(forgelog, { username: 'ada', bio: 'b', provider: 'ldap', extern_uid: 'x' });
  await forgelog.put(`/users/${ada.id}`, { username: 'ada2', external: true });
  await forgelog.post(`/users/${ada.id}/block`);
  await createUser(forgelog).then(({ id }) => forgelog.delete(`/users/${id}`));
  const top = await createGroup(forgelog, { path: 'top' });
  const child = await createGroup(forgelog, { parent_id: top.id });
  await forgelog.put(`/groups/${child.id}`, { name: 'Renamed', lfs_enabled: false });
  await createGroup(forgelog).then(({ id }) => forgelog.delete(`/groups/${id}`));
  await system.projectors.policiesIdle();

  const readStore = openMemoryReadStore();
  const again = createProjectors({
    store: system.store,
    readStore,
    catalogue: createCatalogue(events),
    projections: [usersProjection, accessTokensProjection, groupsProjection],
    log: system.ports.log,
  });
  await again.start();
  await again.barrier();
  for (const collection of [users, accessTokens, groups]) {
    const live = await system.ports.readStore.find(collection, { limit: 1000 });
    expect(live.length).toBeGreaterThan(1);
    expect(await readStore.find(collection, { limit: 1000 })).toEqual(live);
  }
  await again.stop();
});
