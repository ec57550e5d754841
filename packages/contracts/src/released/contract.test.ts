import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineEvent, type EventDefinition, publishedData } from '../event.ts';
import { subjectPattern } from '../event-subject.ts';
import { events } from '../events.ts';
import { contractChangelog } from './changelog.ts';
import { contractOf, fingerprintOf } from './contract.ts';
import { requiredVersion } from './contract-version.ts';
import recorded from './current.json' with { type: 'json' };
import { CONTRACT_VERSION, currentContract } from './current.ts';
import { downcastTo, unservable } from './downcast.ts';
import { compareVersions, folded, type Release, releases, unfolded } from './releases.ts';
import { fieldsOf, type Shape, valuesOf, variantsOf } from './shape.ts';

const changelog = readFileSync(join(import.meta.dirname, '../../../../docs/events-changelog.md'), 'utf8');
const definitionOf = (type: string) => events.find((each) => each.type === type)!;

describe('the version', () => {
  test('follows the events', () => {
    const advice = 'the contract of events changed: run npm run contract';
    expect(recorded.fingerprint, advice).toBe(fingerprintOf(currentContract()));
    expect(CONTRACT_VERSION, advice).toBe(requiredVersion(currentContract(), events, releases()));
  });

  test('has its changes in the changelog', () => {
    const isReleased = releases().at(-1)?.version === CONTRACT_VERSION;
    const versions = isReleased
      ? releases()
      : [...releases(), { version: CONTRACT_VERSION, ...currentContract() }];
    expect(changelog, 'run npm run contract').toBe(contractChangelog(versions));
  });

  test('has the same changelog once it is released', () => {
    const [first] = releases();
    const current = { version: '9.0', ...currentContract() };
    const released = { version: '9.0', ...folded(current, first) };
    expect(contractChangelog(unfolded([first!, released]))).toBe(contractChangelog([first!, current]));
  });
});

describe.each(releases().map((release) => [release.version, release] as const))(
  'the released contract %s',
  (version, release) => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    const isCurrentMajor = Number.parseInt(version, 10) === Number.parseInt(CONTRACT_VERSION, 10);

    test.skipIf(!isCurrentMajor)('is served by the events of today', () => {
      expect(
        unservable(release, currentContract(), events),
        'give the event a downcast; null, where there is none, needs a new major version',
      ).toEqual([]);
    });

    test('keeps its samples readable: they are upcast, and published as before', () => {
      for (const [type, released] of Object.entries(release.types)) {
        const definition = definitionOf(type);
        const { data, subject } = released.sample!;
        expect(subject).toMatch(new RegExp(subjectPattern(definition.subject)));
        const today = definition.schema.parse(upcast(definition, released.version, data));
        if (!isCurrentMajor) continue;
        const validate = ajv.compile(released.shape);
        expect(expectDowncast(definition, release, today, validate), type).toBeDefined();
        expectDowncast(definition, release, definition.example!.data, validate);
      }
    });

    test('keeps the streams of its types', () => {
      for (const [type, { subject }] of Object.entries(release.types))
        expect([type, definitionOf(type).subject]).toEqual([type, expect.arrayContaining([...subject])]);
    });
  },
);

function upcast(definition: EventDefinition, version: number, data: unknown): unknown {
  let known = data;
  for (let at = version; at < definition.version; at++) known = definition.upcast[at]!(known);
  return known;
}

function expectDowncast(
  definition: EventDefinition,
  { types }: Release,
  data: unknown,
  validate: ValidateFunction,
): unknown {
  const { type } = definition;
  const cast = downcastTo(types[type]!, definition)(publishedData(definition, data));
  if (cast) expect([type, validate(cast.data), validate.errors]).toEqual([type, true, null]);
  else expect(definition.growing, type).not.toEqual([]);
  return cast;
}

test('every path whose values grow leads to an enumeration', () => {
  for (const { type, growing } of events) {
    const { shape } = currentContract().types[type] ?? {};
    for (const path of growing) expect([type, path, namesValues(shape!, path)]).toEqual([type, path, true]);
  }
});

function namesValues(shape: Shape, path: string): boolean {
  let shapes = [shape];
  for (const step of path.replaceAll('[]', '.[]').split('.')) {
    const next = shapes
      .flatMap(variantsOf)
      .map((each) => (step === '[]' ? (each.items as Shape | undefined) : fieldsOf(each)[step]));
    shapes = next.filter((each) => each !== undefined);
  }
  return shapes.flatMap(variantsOf).some((each) => valuesOf(each) !== undefined);
}

describe('the rule', () => {
  const base = {
    type: 'ThingMoved',
    description: 'A thing moved.',
    subject: 'thing-<thingId>',
    service: 'things',
    audit: 'content',
    activity: 'unnamed',
  } as const;
  const first = defineEvent({
    ...base,
    version: 1,
    schema: z.object({ thingId: z.int(), to: z.string() }),
    example: { subject: 'thing-1', data: { thingId: 1, to: 'here' } },
  });
  const released: Release[] = [{ version: '1.4', ...contractOf([first]) }];
  const versionOf = (...definitions: EventDefinition[]) =>
    requiredVersion(contractOf(definitions), definitions, released);

  test('gives the first contract version 1.0, and an unchanged one its version', () => {
    expect(requiredVersion(contractOf([first]), [first], [])).toBe('1.0');
    expect(versionOf(first)).toBe('1.4');
    expect(versionOf({ ...first, description: 'It moved.', example: undefined })).toBe('1.4');
  });

  test('raises the minor number for what consumers can be spared', () => {
    const schema = z.object({ thingId: z.int(), to: z.string(), from: z.string().nullable() });
    expect(versionOf({ ...first, schema })).toBe('1.5');
    expect(versionOf(first, { ...first, type: 'ThingSeen' })).toBe('1.5');
  });

  test('raises the major number where some consumers cannot be served', () => {
    const schema = z.object({ thingId: z.int(), place: z.string() });
    const moved = { ...first, version: 2, schema };
    expect(versionOf(moved)).toBe('2.0');
    expect(versionOf({ ...moved, downcast: { 2: null } })).toBe('2.0');
    expect(versionOf()).toBe('2.0');
  });

  test('lets a step back spare them too', () => {
    const schema = z.object({ thingId: z.int(), place: z.string() });
    const back = ({ place, ...rest }: { place: string }) => ({ ...rest, to: place });
    const moved = defineEvent({
      ...base,
      version: 2,
      schema,
      upcast: { 1: ({ to, ...rest }) => ({ ...rest, place: to }) },
      downcast: { 2: back },
    });
    expect(versionOf(moved)).toBe('1.5');
    const cast = downcastTo(released[0]!.types.ThingMoved!, moved);
    expect(cast({ thingId: 1, place: 'there' })).toEqual({ version: 1, data: { thingId: 1, to: 'there' } });
  });

  describe('of enumerations', () => {
    const kinds = (...names: string[]) => z.object({ kind: z.enum(names), parts: z.array(z.enum(names)) });
    const thing = (schema: z.ZodType, growing?: readonly string[]) =>
      defineEvent({ ...base, version: 1, schema, ...(growing && { growing }) });
    const before = [{ version: '1.4', ...contractOf([thing(kinds('bug', 'task'))]) }];
    const versionAs = (definition: EventDefinition) =>
      requiredVersion(contractOf([definition]), [definition], before);
    const more = kinds('bug', 'task', 'epic');

    test('takes new values only where the event says that they come', () => {
      expect(versionAs(thing(more))).toBe('2.0');
      expect(versionAs(thing(more, ['kind']))).toBe('2.0');
      expect(versionAs(thing(more, ['parts[]']))).toBe('2.0');
      expect(versionAs(thing(more, ['kind', 'parts[]']))).toBe('1.5');
      const free = z.object({ kind: z.string(), parts: z.array(z.string()) });
      expect(versionAs(thing(free, ['kind', 'parts[]']))).toBe('2.0');
      const nullable = more.extend({ kind: more.shape.kind.nullable() });
      expect(versionAs(thing(nullable, ['kind', 'parts[]']))).toBe('2.0');
    });

    test('leaves out the event, or the entry of a list', () => {
      const cast = downcastTo(before[0]!.types.ThingMoved!, thing(more, ['kind', 'parts[]']));
      const castData = (kind: string, ...parts: string[]) => cast({ kind, parts })?.data;
      expect(castData('bug', 'task', 'bug')).toEqual({ kind: 'bug', parts: ['task', 'bug'] });
      expect(castData('bug', 'epic', 'bug')).toEqual({ kind: 'bug', parts: ['bug'] });
      expect(castData('bug', 'epic')).toEqual({ kind: 'bug', parts: [] });
      expect(castData('epic', 'bug')).toBeUndefined();
    });
  });

  test('keeps of a release only what differs from the one before', () => {
    const seen = { ...first, type: 'ThingSeen' };
    const next = contractOf([{ ...first, example: undefined }, seen]);
    const file = folded(next, released[0]);
    expect(Object.keys(file.types)).toEqual(['ThingSeen']);
    const [, whole] = unfolded([{ version: '1.10', ...file }, released[0]!]);
    expect(whole!.version).toBe('1.10');
    expect(fingerprintOf(whole!)).toBe(fingerprintOf(next));
  });

  test('orders versions by number', () => {
    expect(['1.10', '2.0', '1.9'].sort(compareVersions)).toEqual(['1.9', '1.10', '2.0']);
  });

  test('says in the changelog what is new and what is different', () => {
    const schema = z.object({ thingId: z.int(), to: z.string().nullable(), from: z.string() });
    const next = [
      { ...first, version: 2, schema },
      { ...first, type: 'ThingSeen' },
    ];
    const text = contractChangelog([...released, { version: '2.0', ...contractOf(next) }]);
    expect(text).toContain(
      '## 2.0\n\n- `ThingMoved` (version 2): `from` is new; to may be null.\n- `ThingSeen` is new.\n',
    );
    expect(text.indexOf('## 2.0')).toBeLessThan(text.indexOf('## 1.4'));
  });
});
