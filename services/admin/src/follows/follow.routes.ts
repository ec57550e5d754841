import {
  followUser,
  listFollowers,
  listFollowing,
  unfollowUser,
} from '@forgelog/contracts/admin/follows/follow.api.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { DirectoryUser } from '@forgelog/directory/collections.ts';
import type { ServicePorts } from '@forgelog/directory/service-ports.ts';
import { settingNow } from '@forgelog/directory/settings.ts';
import { userJson } from '@forgelog/directory/user.view.ts';
import { desc, eq } from '@forgelog/eventing/query.ts';
import { json, unchanged } from '@forgelog/service-kit/answer.ts';
import type { ApiRequest } from '@forgelog/service-kit/api-request.ts';
import { type PageRequest, pageOf } from '@forgelog/service-kit/pagination.ts';
import type { Principal } from '@forgelog/service-kit/principal.ts';
import { type Implementation, implement } from '@forgelog/service-kit/service.ts';
import { type FollowCommand, followDecider, followStream } from './follow.decider.ts';
import { follows } from './follows.projection.ts';

export function followRoutes(ports: ServicePorts): Implementation[] {
  const { commands, directory, readStore } = ports;
  const view = userJson.renderer(ports);

  async function needUser(id: number, principal: Principal | null): Promise<DirectoryUser> {
    // Where nothing is public, anonymous callers see no users.
    const restricted = await settingNow(ports, 'restricted_visibility_levels');
    const found = principal === null && restricted.includes('public') ? undefined : await directory.user(id);
    if (!found || found.state === 'deleted') throw new Rejection('not_found', { what: 'User' });
    return found;
  }

  async function change(
    type: FollowCommand['type'],
    {
      params: { id },
      caller,
      metadata,
    }: Pick<ApiRequest, 'caller' | 'metadata'> & { params: { id: number } },
  ) {
    const wanted = await needUser(id, caller);
    const command = { type, followerId: caller.userId, userId: wanted.id };
    const stream = followStream(command.followerId, command.userId);
    const { events } = await commands.handle(followDecider, stream, command, metadata);
    return events.length === 0 ? unchanged() : json(view.one(wanted));
  }

  /** The users at one end of what a user has at the other. */
  async function listed(
    {
      params: { id },
      principal,
      page,
    }: { params: { id: number }; principal: Principal | null; page: PageRequest },
    [from, to]: readonly ['userId' | 'followerId', 'userId' | 'followerId'],
  ) {
    const { id: of } = await needUser(id, principal);
    const { documents, next } = await pageOf(readStore, follows, {
      ...{ where: eq(from, of), sort: [desc('since'), desc('key')], page },
    });
    const users = await Promise.all(documents.map((row) => directory.user(row[to])));
    return { kind: 'list' as const, items: view.list(users.filter((one) => one !== undefined)), next };
  }

  return [
    implement(followUser, (request) => change('FollowUser', request)),
    implement(unfollowUser, (request) => change('UnfollowUser', request)),
    implement(listFollowers, (request) => listed(request, ['userId', 'followerId'])),
    implement(listFollowing, (request) => listed(request, ['followerId', 'userId'])),
  ];
}
