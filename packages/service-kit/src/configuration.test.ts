import { expect, test } from 'vitest';
import { ConfigurationError, readConfiguration } from './configuration.ts';

test('brokers are a list of host:port', () => {
  const brokersOf = (text: string) => readConfiguration({ KAFKA_BROKERS: text }).KAFKA_BROKERS;
  expect(brokersOf('kafka:9092')).toEqual(['kafka:9092']);
  expect(brokersOf('kafka-0.kafka:9092, 10.0.0.7:65535')).toEqual(['kafka-0.kafka:9092', '10.0.0.7:65535']);
  expect(brokersOf('')).toBeUndefined();
});

test.each([
  'kafka',
  'kafka:0',
  'kafka:65536',
  'kafka:9092,',
  'kafka:9092;other:9092',
  'kafka://kafka:9092',
  '[::1]:9092',
])('%s is no list of brokers', (text) => {
  expect(() => readConfiguration({ KAFKA_BROKERS: text })).toThrow(ConfigurationError);
  expect(() => readConfiguration({ KAFKA_BROKERS: text })).toThrow(/KAFKA_BROKERS: must be host:port/);
});
