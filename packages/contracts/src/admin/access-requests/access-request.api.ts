import { z } from 'zod';
import { type Access, defineEndpoint, group, project } from '../../endpoint.ts';
import { described, fallback, oneOfInts, type Params } from '../../params.ts';
import { groupId, projectId, userId } from '../../shared/common.params.ts';
import { datetimeView, defineView, userView } from '../../views.ts';
import { GROUP_LEVELS, PROJECT_LEVELS, singleMemberView } from '../members/member.views.ts';
import examples from './access-request.examples.json' with { type: 'json' };

/** A user who asks for access. */
export const accessRequestView = defineView(
  'AccessRequest',
  { ...userView.shape, created_at: datetimeView, requested_at: datetimeView },
  examples.AccessRequest,
);

interface Place<Where extends Params> {
  noun: 'project' | 'group';
  /** The right of those who decide. */
  decides: Access;
  /** The right of those who ask, and may take it back. */
  asks: Access;
  where: Where;
  levels: readonly number[];
}

function requestsOf<const Where extends Params>({ noun, decides, asks, where, levels }: Place<Where>) {
  const path = `/${noun}s/:id/access_requests`;
  const id = `${noun}-access-request`;
  const common = { service: 'admin', spec: 'companions 2.3' } as const;
  const ofOne = { ...where, user_id: userId };
  return {
    list: defineEndpoint({
      ...common,
      access: decides,
      id: `${id}-list`,
      method: 'GET',
      path,
      summary: `Users who ask for access to a ${noun}, who asked first before others`,
      params: where,
      pagination: 'offset',
      response: z.array(accessRequestView),
    }),
    create: defineEndpoint({
      ...common,
      access: asks,
      id: `${id}-create`,
      method: 'POST',
      path,
      summary: `Ask for access to a ${noun}`,
      params: where,
      status: 201,
      response: accessRequestView,
    }),
    approve: defineEndpoint({
      ...common,
      access: decides,
      id: `${id}-approve`,
      method: 'PUT',
      path: `${path}/:user_id/approve`,
      summary: `Make a user a member of a ${noun} who asks for it`,
      params: {
        ...ofOne,
        access_level: described(fallback(oneOfInts(0, 5, 10, 20, 30, 40, 50), 30), 'What they may do there', {
          enum: levels,
          examples: [30],
        }),
      },
      status: 201,
      response: singleMemberView,
    }),
    deny: defineEndpoint({
      ...common,
      access: asks,
      id: `${id}-deny`,
      method: 'DELETE',
      path: `${path}/:user_id`,
      summary: `Deny a user access to a ${noun}, or take back what the caller asked`,
      params: ofOne,
      status: 204,
    }),
  };
}

export const projectAccessRequests = requestsOf({
  noun: 'project',
  decides: project('maintainer'),
  asks: project('anyone', { signedIn: true }),
  where: { id: projectId },
  levels: PROJECT_LEVELS,
});

export const groupAccessRequests = requestsOf({
  noun: 'group',
  decides: group('owner'),
  asks: group('anyone', { signedIn: true }),
  where: { id: groupId },
  levels: GROUP_LEVELS,
});

export const accessRequestEndpoints = [projectAccessRequests, groupAccessRequests].flatMap((place) =>
  Object.values(place),
);
