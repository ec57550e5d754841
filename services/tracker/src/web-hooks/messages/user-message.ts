import type { UserKeyEvent } from '@forgelog/contracts/admin/user-keys/user-key.events.ts';
import type { UserEvent } from '@forgelog/contracts/admin/users/user.events.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { HookMessage } from '../web-hook-sender.ts';
import { HIDDEN_EMAIL, type HookFacts } from './hook-facts.ts';
import { systemMessage, timesOf } from './system-message.ts';

const NAMES: Readonly<Record<string, string>> = {
  UserCreated: 'user_create',
  UserUpdated: 'user_rename',
  UserDeleted: 'user_destroy',
};

/** An account that began, ended or got another name. */
export async function userMessage(
  _: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, UserEvent['data']>,
): Promise<HookMessage[]> {
  const { userId } = event.data;
  const { previous } = event.data as { previous?: { username?: string } | null };
  const old = previous?.username;
  if (event.type === 'UserUpdated' && old === undefined) return [];
  const user = await facts.userOf(userId);
  // Afterwards the directory knows a ghost.
  const username = 'username' in event.data ? event.data.username : user?.username;
  const body = {
    event_name: NAMES[event.type],
    ...timesOf(event),
    name: 'name' in event.data ? event.data.name : (user?.name ?? null),
    username: username ?? null,
    ...(old !== undefined && { old_username: old }),
    email: HIDDEN_EMAIL,
    user_id: userId,
  };
  return [systemMessage(body)];
}

/** A key of OpenSSH; other keys are not told of. */
export async function userKeyMessage(
  _: ServicePorts,
  facts: HookFacts,
  event: RecordedEvent<string, UserKeyEvent['data']>,
): Promise<HookMessage[]> {
  const { userId, userKeyId, kind } = event.data;
  if (kind !== 'ssh') return [];
  const user = await facts.userOf(userId);
  const body = {
    event_name: event.type === 'UserKeyCreated' ? 'key_create' : 'key_destroy',
    ...timesOf(event),
    username: user?.username ?? null,
    key: 'key' in event.data ? event.data.key : null,
    id: userKeyId,
  };
  return [systemMessage(body)];
}
