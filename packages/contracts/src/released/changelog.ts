import { type Contract, differs, sorted, type TypeContract } from './contract.ts';
import type { Release } from './releases.ts';
import type { Shape } from './shape.ts';
import { addedFields, obstacles } from './shape-changes.ts';

/** What each version of the contract brought, as Markdown, the newest first. */
export function contractChangelog(versions: readonly Release[]): string {
  const sections = versions.map((release, index) => {
    const before = versions[index - 1];
    return `## ${release.version}\n\n${(before ? changes(before, release) : ['The first version.']).join('\n')}\n`;
  });
  return `${HEAD}\n${sections.reverse().join('\n')}`;
}

const HEAD = `# Changelog of the contract of events

Written by \`npm run contract\`. [feed.md](feed.md#versions) says what may change.
`;

function changes(before: Contract, now: Contract): string[] {
  // A release keeps its types in another order.
  const types = Object.entries(now.types).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const lines = types.flatMap(([type, current]) => {
    const known = before.types[type];
    if (!known) return [`- \`${type}\` is new.`];
    if (!differs(known, current)) return [];
    return [
      `- \`${type}\`${versions(known, current)}: ${differences(known.shape, current.shape).join('; ')}.`,
    ];
  });
  const ofEnvelope = differences(before.envelope, now.envelope);
  return ofEnvelope.length > 0 ? [`- Every event: ${ofEnvelope.join('; ')}.`, ...lines] : lines;
}

const versions = (before: TypeContract, now: TypeContract) =>
  before.version === now.version ? '' : ` (version ${now.version})`;

function differences(before: Shape, now: Shape): string[] {
  const added = addedFields(before, now).map((path) => `\`${path}\` is new`);
  const found = [...added, ...obstacles(before, now)];
  return found.length > 0 || sorted(before) === sorted(now) ? found : ['fewer values are possible'];
}
