import { z } from 'zod';
import { defineEvent, type EventOf, privileged } from '../../event.ts';
import { personal } from '../../personal-data.ts';
import { changed } from '../../shared/changes.ts';
import examples from './debian-distribution.events.examples.json' with { type: 'json' };

/** All distributions of one place are one stream, because codenames and suites are unique in it. */
const subject = ['debianDistributions-project-<projectId>', 'debianDistributions-group-<groupId>'];

const ids = {
  debianDistributionId: z.int().describe('Id of the distribution.'),
  projectId: z
    .int()
    .nullable()
    .describe('Id of the project whose distribution it is; null for one of a group.'),
  groupId: z
    .int()
    .nullable()
    .describe('Id of the group whose distribution it is; null for one of a project.'),
};
const word = (what: string) => personal(z.string().nullable().describe(`${what}; null for none.`));
const attributes = {
  suite: word('Another name of it, unique like the codename'),
  origin: word('Who publishes it'),
  label: word('What its packages are called together'),
  version: word('Its version'),
  description: word('What it is for'),
  validTimeDurationSeconds: z
    .int()
    .nullable()
    .describe('How long clients take its lists for current; null for ever.'),
  components: personal(z.array(z.string()).describe('Its components, in order of their names.')),
  architectures: personal(z.array(z.string()).describe('Its architectures, `all` among them, in order.')),
};

const common = {
  version: 1,
  subject,
  service: 'repo',
  audit: privileged('Project', 'DebianDistribution'),
  activity: 'unnamed',
} as const;

export const DebianDistributionCreated = defineEvent({
  ...common,
  type: 'DebianDistributionCreated',
  description: 'A project or a group got a Debian distribution.',
  example: examples.DebianDistributionCreated,
  schema: z.object({
    ...ids,
    codename: personal(z.string().describe('Codename, unique among codenames and suites of the place.')),
    ...attributes,
  }),
});

export const DebianDistributionUpdated = defineEvent({
  ...common,
  type: 'DebianDistributionUpdated',
  description: 'Attributes of a Debian distribution changed.',
  example: examples.DebianDistributionUpdated,
  schema: z.object({ ...ids, ...changed(attributes) }),
});

export const DebianDistributionDeleted = defineEvent({
  ...common,
  type: 'DebianDistributionDeleted',
  description: 'A Debian distribution was deleted.',
  example: examples.DebianDistributionDeleted,
  schema: z.object(ids),
});

export const debianDistributionEvents = [
  DebianDistributionCreated,
  DebianDistributionUpdated,
  DebianDistributionDeleted,
] as const;
export type DebianDistributionEvent = EventOf<(typeof debianDistributionEvents)[number]>;
