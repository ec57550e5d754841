import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { type Answer, json } from '@forgelog/service-kit/answer.ts';
import { withMembers } from '@forgelog/service-kit/ready-json.ts';
import type { MemberRow } from './members.collections.ts';

type Ports = Pick<ServicePorts, 'directory'>;

/** A member as in lists [L115]. Ready JSON. */
export const listedMember = (row: MemberRow, ports: Ports): Promise<string> => view(row, ports, {});

/** A single member [L115], with the time of joining. */
export async function answerMember(row: MemberRow, ports: Ports): Promise<Answer> {
  return json(await view(row, ports, { created_at: row.createdAt }));
}

async function view(row: MemberRow, { directory }: Ports, more: object): Promise<string> {
  const user = await directory.user(row.userId!);
  if (!user) throw new Error(`member ${row.key} has no user`);
  return withMembers(user.body!, {
    access_level: row.accessLevel,
    ...more,
    expires_at: row.expiresAt,
    ...(row.publicEmail === null ? {} : { email: row.publicEmail }),
  });
}
