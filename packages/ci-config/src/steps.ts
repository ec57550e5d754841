import type { Release, ReleaseLink } from './configuration.ts';
import type { PlannedJob } from './pipeline.ts';

/** What a runner executes one after the other. */
export interface Step {
  name: 'script' | 'release' | 'after_script';
  script: readonly string[];
  when: 'on_success' | 'always';
  allowFailure: boolean;
}

/**
 * Puts together the steps of a job. `before_script` is part of the script, so that both share one shell. Jobs share their
 * lists of lines, so this is called when a runner gets the job, not when it is planned.
 */
export function stepsOf({ beforeScript, script, afterScript, release }: PlannedJob): Step[] {
  const steps: Step[] = [];
  if (script) steps.push(step('script', [...beforeScript, ...script]));
  if (release) steps.push(step('release', [releaseCommand(release)]));
  if (afterScript.length > 0)
    steps.push({ name: 'after_script', script: afterScript, when: 'always', allowFailure: true });
  return steps;
}

const step = (name: Step['name'], script: readonly string[]): Step => ({
  name,
  script,
  when: 'on_success',
  allowFailure: false,
});

function releaseCommand(release: Release): string {
  const { tagName, tagMessage, name, description, ref, releasedAt, milestones, links } = release;
  const options = [
    ['name', name],
    ['description', description],
    ['tag-name', tagName],
    ['tag-message', tagMessage],
    ['ref', ref],
    ['released-at', releasedAt],
    ...milestones.map((milestone) => ['milestone', milestone]),
    ...links.map((link) => ['assets-link', JSON.stringify(linkOption(link))]),
  ] as [string, string | null][];
  const given = options.filter(([, value]) => value !== null);
  return ['release-cli create', ...given.map(([option, value]) => `--${option} ${quoted(value!)}`)].join(' ');
}

const linkOption = ({ name, url, filepath, linkType }: ReleaseLink) => ({
  name,
  url,
  filepath: filepath ?? undefined,
  link_type: linkType ?? undefined,
});

/** The shell still expands variables. */
const quoted = (text: string) => `"${text.replace(/["\\`]/g, '\\$&')}"`;
