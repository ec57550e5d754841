import { type Beginning, type Ending, endsUnannounced, type Lifetime } from '../lifetime.ts';
import type { JsonSchema } from '../params.ts';

/** How a consumer applies `x-begins` and `x-ends`. */
export const LIFETIME_RULES: readonly string[] = [
  'A record has the data of the event that began it, with the fields of `fields` and `fixed` in their place.',
  'An event begins the records of its `x-begins`, changes those of its `x-changes`, then ends those of its `x-ends`.',
  'A change sets the fields of `changes` in the record; of `settings` and `profile` those that are named.',
  'A beginning with a null in a field of the id begins nothing; one of a record that is there replaces it.',
  'A record that ends takes along what an event of the end of its kind would, with the data of the record.',
  'A record that begins after its owner has ended is over too: both happened at the same time.',
  'Where `announcedBy` is null and many records end, an event `…RecordsEnded` tells their number later.',
];

/** `x-begins`, `x-changes` and `x-ends` of an event type, where it has any. */
export function lifetimeExtensions(type: string, lifetimes: readonly Lifetime[]): JsonSchema {
  const begins = lifetimes.flatMap((lifetime) =>
    lifetime.begins.filter(({ event }) => event === type).map((beginning) => begun(lifetime, beginning)),
  );
  const ends = lifetimes.flatMap((lifetime) =>
    lifetime.ends.filter(({ event }) => event === type).map((ending) => ended(lifetime, ending)),
  );
  const changes = lifetimes
    .filter((lifetime) => lifetime.changes.includes(type))
    .map(({ kind, id }) => ({ kind, id, description: `Sets fields of the ${kind} with the same id.` }));
  return {
    ...(begins.length > 0 ? { 'x-begins': begins } : {}),
    ...(changes.length > 0 ? { 'x-changes': changes } : {}),
    ...(ends.length > 0 ? { 'x-ends': ends } : {}),
  };
}

const begun = ({ kind, id }: Lifetime, { fields, fixed }: Beginning) => ({
  kind,
  id,
  fields,
  fixed,
  description: `One ${kind} begins; ${id.map((field) => `\`${field}\``).join(' and ')} tell it from others.`,
});

function ended(lifetime: Lifetime, ending: Ending) {
  const { match, ofRecord, ofEvent, announcedBy } = ending;
  const fields = Object.entries(match).map(([own, other]) => `whose \`${own}\` is the event’s \`${other}\``);
  const more = Object.entries(ofRecord).map(
    ([field, value]) => `whose \`${field}\` is ${JSON.stringify(value)}`,
  );
  const only = Object.entries(ofEvent).map(([field, value]) => `\`${field}\` is ${JSON.stringify(value)}`);
  const which = [...fields, ...more].join(' and ');
  const description = [
    `${only.length > 0 ? `Where ${only.join(' and ')}, every` : 'Every'} ${lifetime.kind} ends ${which}.`,
    announcedBy !== null && `Each gets ${announcedBy} besides.`,
    endsUnannounced(lifetime, ending) && 'They get no events of their own.',
  ];
  return {
    kind: lifetime.kind,
    match,
    ofRecord,
    ofEvent,
    announcedBy,
    description: description.filter(Boolean).join(' '),
  };
}
