import { project } from '../../endpoint.ts';
import { described, required, text } from '../../params.ts';
import { projectId } from '../../shared/common.params.ts';

export const oneRelease = {
  id: projectId,
  tag_name: described(required(text({ max: 1024 })), 'Name of the tag', { examples: ['v1.0.0'] }),
};

/** Jobs release, too [L223]. Guests of a private project see releases, though not its code. */
export const readsReleases = { service: 'repo', access: project('anyone'), jobToken: true } as const;
export const writesReleases = {
  service: 'repo',
  access: project('developer', { feature: 'repository' }),
  jobToken: true,
} as const;
