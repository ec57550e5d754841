import { openMemoryFeed } from '@forgelog/eventing/adapters/memory/memory-feed.ts';
import type { CloudEvent } from '@forgelog/eventing/cloud-event.ts';
import { type RecordedEvent, SYSTEM_METADATA } from '@forgelog/eventing/event.ts';
import type { Projection } from '@forgelog/eventing/projection.ts';
import { expect, test } from 'vitest';
import { recordingTracer } from './testing/recording-tracer.ts';
import { tracedFeed, tracedPolicies, tracedProjections } from './traced-followers.ts';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const NOW = new Date('2026-01-01T12:00:00Z');
const clock = () => NOW;

const event = (given: { time?: string; traceparent?: string | undefined } = {}): RecordedEvent => ({
  id: crypto.randomUUID(),
  type: 'ThingDone',
  schemaVersion: 1,
  time: given.time ?? NOW.toISOString(),
  data: {},
  metadata: { ...SYSTEM_METADATA, ...('traceparent' in given ? {} : { traceparent: TRACEPARENT }) },
  stream: 'thing-1',
  revision: 0,
  position: '1',
});
const HOUR_AGO = new Date(NOW.getTime() - 3_600_000).toISOString();
const documents = {} as Parameters<Projection['project']>[1];
const things = (project: Projection['project'] = async () => {}): Projection => ({
  name: 'things',
  collections: [],
  handles: ['ThingDone'],
  project,
});

test("a projection's span lasts from the event's arrival until its documents are visible", async () => {
  const { tracer, spans } = recordingTracer();
  const [projection] = tracedProjections([things()], { tracer, clock });
  const given = event();
  await projection!.project(given, documents);
  expect(spans).toEqual([{ name: 'project things', parent: TRACEPARENT, ended: false, failed: false }]);
  projection!.applied!([given]);
  expect(spans).toEqual([{ name: 'project things', parent: TRACEPARENT, ended: true, failed: false }]);
});

test('a failed projection ends its span with the error', async () => {
  const { tracer, spans } = recordingTracer();
  const failing = things(async () => {
    throw new Error('no');
  });
  const [projection] = tracedProjections([failing], { tracer, clock });
  await expect(projection!.project(event(), documents)).rejects.toThrow('no');
  expect(spans).toEqual([{ name: 'project things', parent: TRACEPARENT, ended: true, failed: true }]);
});

test('replayed history and events without a trace open no spans', async () => {
  const { tracer, spans } = recordingTracer();
  const [projection] = tracedProjections([things()], { tracer, clock });
  await projection!.project(event({ time: HOUR_AGO }), documents);
  await projection!.project(event({ traceparent: undefined }), documents);
  expect(spans).toEqual([]);
});

test('each attempt of a policy is a span', async () => {
  const { tracer, spans } = recordingTracer();
  let attempts = 0;
  const react = async () => {
    if (++attempts === 1) throw new Error('not yet');
  };
  const [policy] = tracedPolicies([{ name: 'p', handles: ['ThingDone'], actsAs: {}, react }], {
    tracer,
    clock,
  });
  await expect(policy!.react(event(), AbortSignal.abort())).rejects.toThrow('not yet');
  await policy!.react(event(), AbortSignal.abort());
  expect(spans.map(({ failed, ended }) => [failed, ended])).toEqual([
    [true, true],
    [false, true],
  ]);
});

test('publishing opens a span for each event with a trace', async () => {
  const { tracer, spans } = recordingTracer();
  const memory = openMemoryFeed();
  const feed = tracedFeed('kafka', memory, { tracer, clock });
  const published = (traceparent?: string): CloudEvent => ({
    specversion: '1.0',
    id: '1',
    source: '/forgelog/test',
    epoch: '0000000',
    type: 'ThingDone',
    subject: 'thing-1',
    time: NOW.toISOString(),
    datacontenttype: 'application/json',
    dataschema: 'https://forgelog.example/api/v4/event_schemas/ThingMade/1',
    position: '1',
    revision: 0,
    schemaversion: 1,
    traceparent,
    data: {},
  });
  await feed.publish([published(TRACEPARENT), published()]);
  expect(memory.messages).toHaveLength(2);
  expect(spans).toEqual([{ name: 'publish kafka', parent: TRACEPARENT, ended: true, failed: false }]);
});

test('without a tracer nothing is wrapped', () => {
  const projections = [things()];
  expect(tracedProjections(projections, { clock })).toBe(projections);
  const feed = openMemoryFeed();
  expect(tracedFeed('kafka', feed, { clock })).toBe(feed);
});
