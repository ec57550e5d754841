import { z } from 'zod';
import { type Access, defineEndpoint, group, project } from '../../endpoint.ts';
import { described, int, list, nullable, type Params, required, text } from '../../params.ts';
import { groupId, projectId } from '../../shared/common.params.ts';
import { defineView, messageView } from '../../views.ts';
import examples from './debian-distribution.examples.json' with { type: 'json' };

const optional = z.string().nullable();

/** Debian distribution [L105]. */
export const debianDistributionView = defineView(
  'DebianDistribution',
  {
    id: z.int(),
    codename: z.string(),
    suite: optional,
    origin: optional,
    label: optional,
    version: optional,
    description: optional,
    valid_time_duration_seconds: z.int().nullable(),
    components: z.array(z.string()),
    architectures: z.array(z.string()),
  },
  examples.DebianDistribution,
);

/** The most components, and the most architectures, of one distribution. */
export const MOST_PARTS = 100;

const word = (description: string, example: string) =>
  described(nullable(text({ max: 255 })), `${description}; empty for none`, { examples: [example] });

const attributes = {
  suite: word('Another name of the distribution, as `stable`', 'stable'),
  origin: word('Who publishes it', 'Engines'),
  label: word('What its packages are called together', 'engines'),
  version: word('Its version', '12'),
  description: described(nullable(text({ max: 1000 })), 'What it is for; empty for none', {
    examples: ['Tools of the engine room'],
  }),
  valid_time_duration_seconds: described(
    nullable(int({ max: 2 ** 31 - 1 })),
    'How long clients take its lists for current, a day at least; null for ever',
    { examples: [604800] },
  ),
  components: described(list(text({ max: 255 }), { max: MOST_PARTS }), 'Its components; by default `main`', {
    examples: [['main']],
  }),
  architectures: described(
    list(text({ max: 255 }), { max: MOST_PARTS }),
    'Its architectures beside `all`; by default `amd64`',
    { examples: [['amd64']] },
  ),
};

const codename = described(required(text({ max: 255 })), 'Codename, unique in the project or group', {
  examples: ['bookworm'],
});

interface Place<Where extends Params> {
  id: string;
  of: string;
  path: string;
  reads: Access;
  writes: Access;
  deletes: Access;
  where: Where;
}

function distributionsOf<const Where extends Params>(place: Place<Where>) {
  const { id, of, path, reads, writes, deletes, where } = place;
  const one = {
    ...where,
    codename: described(required(text()), 'Codename or suite of the distribution'),
  };
  return {
    list: defineEndpoint({
      service: 'repo',
      access: reads,
      id: `${id}-list`,
      method: 'GET',
      path,
      summary: `Debian distributions of a ${of}, the oldest first`,
      spec: 'api-v4 L363',
      params: {
        ...where,
        codename: described(text({ max: 255 }), 'Only the one with this codename'),
        suite: described(text({ max: 255 }), 'Only the one with this suite'),
      },
      pagination: 'offset',
      response: z.array(debianDistributionView),
    }),
    get: defineEndpoint({
      service: 'repo',
      access: reads,
      id: `${id}-get`,
      method: 'GET',
      path: `${path}/:codename`,
      summary: `One Debian distribution of a ${of}`,
      spec: 'api-v4 L364',
      params: one,
      response: debianDistributionView,
    }),
    create: defineEndpoint({
      service: 'repo',
      access: writes,
      id: `${id}-create`,
      method: 'POST',
      path,
      summary: `Create a Debian distribution in a ${of}`,
      spec: 'api-v4 L365',
      params: { ...where, codename, ...attributes },
      status: 201,
      response: debianDistributionView,
    }),
    update: defineEndpoint({
      service: 'repo',
      access: writes,
      id: `${id}-update`,
      method: 'PUT',
      path: `${path}/:codename`,
      summary: `Change a Debian distribution of a ${of}`,
      spec: 'api-v4 L366',
      params: { ...one, ...attributes },
      response: debianDistributionView,
    }),
    delete: defineEndpoint({
      service: 'repo',
      access: deletes,
      id: `${id}-delete`,
      method: 'DELETE',
      path: `${path}/:codename`,
      summary: `Delete a Debian distribution of a ${of}`,
      spec: 'api-v4 L367',
      params: one,
      status: 202,
      response: messageView,
    }),
  };
}

export const projectDebianDistributions = distributionsOf({
  id: 'project-debian-distribution',
  of: 'project',
  path: '/projects/:id/debian_distributions',
  reads: project('anyone', { feature: 'repository' }),
  writes: project('developer', { feature: 'repository' }),
  deletes: project('maintainer', { feature: 'repository' }),
  where: { id: projectId },
});

export const groupDebianDistributions = distributionsOf({
  id: 'group-debian-distribution',
  of: 'group',
  path: '/groups/:id/debian_distributions',
  reads: group('anyone'),
  writes: group('developer'),
  deletes: group('maintainer'),
  where: { id: groupId },
});

export const debianDistributionEndpoints = [
  ...Object.values(projectDebianDistributions),
  ...Object.values(groupDebianDistributions),
];
