import { bool, described, fallback, hash, int, list, nullable, oneOf, required, text } from '../../params.ts';

export const runnerId = described(required(int()), 'Id of the runner', { examples: [1] });

/** What can be set of a runner. */
export const runnerAttributes = {
  description: described(text({ max: 1024 }), 'What people call it', { examples: ['Build machine'] }),
  active: described(bool(), 'Whether it gets jobs'),
  paused: described(bool(), 'The contrary of `active`, for newer clients'),
  locked: described(bool(), 'Whether it cannot be enabled for further projects'),
  run_untagged: described(bool(), 'Whether it gets jobs without tags, too'),
  tag_list: described(list(text({ max: 255 }), { max: 50 }), 'Tags of the jobs that it may get', {
    examples: [['docker', 'linux']],
  }),
  access_level: described(
    oneOf('not_protected', 'ref_protected'),
    'Whether it gets jobs of all refs, or of protected refs alone',
  ),
  maximum_timeout: described(
    nullable(int({ min: 1, max: 2_147_483_647 })),
    'Seconds after which it gives up a job, 600 at least; null for the timeout of the job',
  ),
};

const word = (what: string) => described(text({ max: 255 }), what);

/** What an agent says of itself; it says more, which nobody asks for. */
export const runnerInfo = described(
  hash({
    name: word('Name of the program'),
    version: word('Version of the program'),
    revision: word('Revision of the program'),
    platform: word('Operating system'),
    architecture: word('Processor'),
    executor: word('Where it executes jobs'),
  }),
  'What the agent says of itself',
);

const status = oneOf('active', 'paused', 'online', 'offline', 'not_connected');
export const runnerFilters = {
  type: described(oneOf('instance_type', 'group_type', 'project_type'), 'Only runners of this type'),
  status: described(status, 'Only runners of this status'),
  paused: described(bool(), 'Only those that are paused, or that are not'),
  tag_list: described(list(text({ max: 255 }), { max: 50 }), 'Only runners with all of these tags'),
};

export const untagged = described(fallback(bool(), true), 'Whether it gets jobs without tags, too');
