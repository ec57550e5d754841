/** What `git push -o merge_request.…` asks for. */
export interface PushWishes {
  create: boolean;
  /** Undefined where it is not said. */
  target: string | undefined;
  title: string | undefined;
  description: string | undefined;
  draft: boolean;
  squash: boolean | undefined;
  removeSourceBranch: boolean | undefined;
  mergeWhenPipelineSucceeds: boolean;
  labels: readonly string[];
  unlabels: readonly string[];
  /** Ids or usernames. */
  assignees: readonly string[];
}

const PREFIX = 'merge_request.';

/** Null where a push asks nothing of merge requests. A title or description on several lines has `\n` in it. */
export function pushWishes(options: readonly string[]): PushWishes | null {
  const given = options
    .filter((option) => option.startsWith(PREFIX))
    .map((option) => {
      const [name = '', ...value] = option.slice(PREFIX.length).split('=');
      return { name, value: value.join('=') };
    });
  if (given.length === 0) return null;
  const all = (name: string) => given.filter((option) => option.name === name).map(({ value }) => value);
  const last = (name: string) => all(name).at(-1);
  const flag = (name: string) => (all(name).length > 0 ? last(name) !== 'false' : undefined);
  const lines = (text: string | undefined) => text?.replaceAll('\\n', '\n');
  return {
    create: flag('create') ?? false,
    target: last('target') || undefined,
    title: last('title') || undefined,
    description: lines(last('description')),
    draft: flag('draft') ?? false,
    squash: flag('squash'),
    removeSourceBranch: flag('remove_source_branch'),
    mergeWhenPipelineSucceeds: flag('merge_when_pipeline_succeeds') ?? false,
    labels: all('label').filter((label) => label !== ''),
    unlabels: all('unlabel').filter((label) => label !== ''),
    assignees: all('assign').filter((user) => user !== ''),
  };
}
