import { Rejection } from '@forgelog/contracts/errors.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { type Answer, value } from '@forgelog/service-kit/answer.ts';
import { answerMember } from './member.query.ts';
import { type MemberSource, memberRowKey, members } from './members.collection.ts';

type Ports = Pick<ServicePorts, 'readStore' | 'directory' | 'configuration' | 'host'>;

/**
 * Validates a membership. An end on the current day is accepted, although it expires at once. @throws 400 naming the
 * field
 */
export function checkMembership(
  wanted: { access_level: number; expires_at: string | null | undefined },
  levels: readonly number[],
  today: string,
): void {
  const fields: Record<string, string[]> = {};
  if (!levels.includes(wanted.access_level)) fields.access_level = ['is not included in the list'];
  if (wanted.expires_at && wanted.expires_at < today) fields.expires_at = ['cannot be a date in the past'];
  if (Object.keys(fields).length > 0) throw new Rejection('validation_failed', { fields });
}

/**
 * Adds one user and returns the member; or adds several, each by a command, and returns the failures. @throws 404 for a
 * single unknown user, 409 for a single existing member
 */
export async function addMembers(
  ports: Ports,
  userIds: readonly number[],
  add: (userId: number) => Promise<unknown>,
  answerOf: (userId: number) => Promise<Answer>,
): Promise<Answer> {
  const [first, ...others] = new Set(userIds);
  if (first === undefined) throw new Rejection('invalid_parameters', { problems: ['user_id is empty'] });
  if (others.length === 0) {
    await requireUser(ports, first);
    await add(first);
    return answerOf(first);
  }
  const problems: Record<string, string> = {};
  for (const userId of [first, ...others]) {
    const user = await ports.directory.user(userId);
    if (!user || user.state === 'deleted') {
      problems[userId] = 'User not found';
      continue;
    }
    try {
      await add(userId);
    } catch (error) {
      if (!(error instanceof Rejection) || error.status !== 409) throw error;
      problems[user.username] = 'Member already exists';
    }
  }
  const failed = Object.keys(problems).length > 0;
  return value(failed ? { status: 'error', message: problems } : { status: 'success' });
}

async function requireUser({ directory }: Ports, userId: number): Promise<void> {
  const user = await directory.user(userId);
  if (!user || user.state === 'deleted') throw new Rejection('not_found', { what: 'User' });
}

/** The membership after the command, even if it ends today. */
export async function answerWritten(
  ports: Ports,
  source: MemberSource,
  sourceId: number,
  userId: number,
): Promise<Answer> {
  const row = await ports.readStore.get(members, memberRowKey(source, sourceId, userId));
  if (!row) throw new Rejection('record_not_found');
  return answerMember(row, ports);
}
