import type { IncludeAnswer, IncludeReference } from '../ports.ts';

type Refused = Extract<IncludeAnswer, { refused: string }>;

/** Returns the sentence that clients know for this refusal. */
export function refusalText(reference: IncludeReference, { refused, reason }: Refused): string {
  if (refused === 'too large')
    return `Included file \`${nameOf(reference)}\` is too big: all files of a configuration together may have a megabyte`;
  switch (reference.kind) {
    case 'local':
      return `Local file \`${reference.path}\` does not exist!`;
    case 'template':
      return `Template file \`${reference.name}\` is empty or does not exist!`;
    case 'remote':
      return refused === 'no file'
        ? `Remote file \`${reference.url}\` does not exist!`
        : `Remote file \`${reference.url}\` could not be fetched because ${reason ?? 'it did not answer'}!`;
    case 'project': {
      const { project, ref, path } = reference;
      if (refused === 'no project')
        return `Project \`${project}\` not found or access denied! Make sure any includes in the pipeline configuration are correctly defined.`;
      if (refused === 'no ref')
        return `Project \`${project}\` reference \`${ref ?? 'HEAD'}\` does not exist!`;
      return `Project \`${project}\` file \`${path}\` does not exist!`;
    }
    default:
      return reference satisfies never;
  }
}

/** Checks the name alone. @returns null for a valid name */
export function nameProblem(reference: IncludeReference): string | null {
  if (reference.kind === 'template')
    return reference.name.endsWith('.gitlab-ci.yml')
      ? null
      : `Template file \`${reference.name}\` is not a valid location!`;
  if (reference.kind === 'remote' && !isAddress(reference.url))
    return `Remote file \`${reference.url}\` does not have a valid address!`;
  const name = reference.kind === 'remote' ? new URL(reference.url).pathname : reference.path;
  return /.\.ya?ml$/.test(name)
    ? null
    : `Included file \`${nameOf(reference)}\` does not have YAML extension!`;
}

const isAddress = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

export function nameOf(reference: IncludeReference): string {
  switch (reference.kind) {
    case 'local':
    case 'project':
      return reference.path;
    case 'template':
      return reference.name;
    case 'remote':
      return reference.url;
    default:
      return reference satisfies never;
  }
}
