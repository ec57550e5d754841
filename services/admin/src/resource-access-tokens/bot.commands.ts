import { Rejection } from '@forgelog/contracts/errors.ts';
import { today } from '@forgelog/directory/calendar.ts';
import { NameTakenError } from '@forgelog/directory/name.decider.ts';
import { createNames } from '@forgelog/directory/names.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import { groupDecider, groupStream } from '../groups/group.decider.ts';
import type { MemberSource } from '../members/members.collection.ts';
import { projectMemberDecider, projectMemberStream } from '../members/project-member.decider.ts';
import { userDecider, userStream } from '../users/user.decider.ts';
import { userNames } from '../users/user-names.ts';
import type { UserRecord } from '../users/user-record.ts';
import { users } from '../users/users.projection.ts';

/** The project or group that a bot is made for. */
export interface BotPlace {
  source: MemberSource;
  id: number;
  /** Null outside of personal namespaces. */
  ownerId: number | null;
}

/** So many names are tried: `project_7_bot`, `project_7_bot2` and so on. */
const TRIES = 1000;

/**
 * Makes a bot that nobody can sign in as. It is an external user: internal projects, which all other users see, stay
 * closed to it.
 */
export async function createBot(
  ports: ServicePorts,
  { source, id }: BotPlace,
  { userId, name }: { userId: number; name: string },
  metadata: EventMetadata,
): Promise<void> {
  const { commands, directory, ids } = ports;
  const names = createNames(ports);
  const namespaceId = await ids.next('namespace');
  const { hostname } = new URL(directory.externalUrl);
  for (let number = 1; number <= TRIES; number += 1) {
    const username = `${source}_${id}_bot${number === 1 ? '' : number}`;
    if (await directory.userByName(username)) continue;
    const email = `${username}@noreply.${hostname}`;
    const command = {
      type: 'CreateUser' as const,
      ...{ userId, namespaceId, username, name, email, passwordHash: null },
      ...{ admin: false, external: true, bot: true, confirmed: true, identities: [], profile: {} },
    };
    try {
      await names.claimed(
        { kind: 'user', id: userId },
        { take: userNames({ username, email }) },
        metadata,
        (at) => commands.handle(userDecider, userStream(userId), command, metadata, { at }),
      );
      return;
    } catch (error) {
      if (!(error instanceof NameTakenError)) throw error;
    }
  }
  throw new Rejection('conflict', { message: `All names of bots of this ${source} are taken` });
}

export async function addBot(
  ports: Pick<ServicePorts, 'commands' | 'clock'>,
  { source, id, ownerId }: BotPlace,
  { userId, accessLevel }: { userId: number; accessLevel: number },
  metadata: EventMetadata,
): Promise<void> {
  const { commands } = ports;
  const member = { userId, accessLevel, expiresAt: null, today: today(ports) };
  await (source === 'project'
    ? commands.handle(
        projectMemberDecider,
        projectMemberStream(id),
        { type: 'AddProjectMember', projectId: id, ownerId, ...member },
        metadata,
      )
    : commands.handle(
        groupDecider,
        groupStream(id),
        { type: 'AddGroupMember', groupId: id, ...member },
        metadata,
      ));
}

/** Deletes a bot; what it made stays. Leaves people, and bots that are gone, alone. */
export async function deleteBot(
  { commands, readStore }: Pick<ServicePorts, 'commands' | 'readStore'>,
  userId: number,
  metadata: EventMetadata,
): Promise<void> {
  const row = await readStore.get(users, userId);
  if (!(row?.record as UserRecord | undefined)?.bot) return;
  const command = { type: 'DeleteUser', userId, hardDelete: false } as const;
  await commands.handle(userDecider, userStream(userId), command, metadata).catch((error: unknown) => {
    // Another deletes it too.
    if (!(error instanceof Rejection) || error.status !== 404) throw error;
  });
}
