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

test('a bucket needs its credentials', () => {
  const given = { S3_BUCKET: 'objects', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
  expect(readConfiguration(given)).toMatchObject({ S3_BUCKET: 'objects', S3_REGION: 'us-east-1' });
  for (const missing of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
    expect(() => readConfiguration({ ...given, [missing]: '' })).toThrow(`${missing}: is required`);
  expect(() => readConfiguration({ ...given, S3_BUCKET: 'Not a name' })).toThrow(/S3_BUCKET: must be/);
  expect(() => readConfiguration({ ...given, S3_ENDPOINT: 'minio:9000' })).toThrow(/S3_ENDPOINT: must be/);
});

test('trusted proxies are addresses and networks, and nobody unless set', () => {
  const proxiesOf = (text?: string) => readConfiguration({ TRUSTED_PROXIES: text }).TRUSTED_PROXIES;
  expect(proxiesOf()).toEqual([]);
  expect(proxiesOf('loopback, 10.0.0.0/8,2001:db8::/32,192.0.2.1')).toEqual([
    'loopback',
    '10.0.0.0/8',
    '2001:db8::/32',
    '192.0.2.1',
  ]);
});

test.each(['all', '10.0.0.0/33', '10.0.0.0/0', '10.0.0', '10.0.0.1,', 'proxy.example', '10.0.0.0/8/8', '*'])(
  '%s is no list of proxies',
  (text) => {
    expect(() => readConfiguration({ TRUSTED_PROXIES: text })).toThrow(/TRUSTED_PROXIES: must be addresses/);
  },
);

test.each([
  'https://example.org/git',
  'https://example.org/?a',
  'https://example.org/#a',
  'https://me@example.org',
])('%s is refused as the external address, because links would lead elsewhere', (text) => {
  expect(() => readConfiguration({ EXTERNAL_URL: text })).toThrow(/EXTERNAL_URL: must have no path/);
});

test('the external address may have a port and a slash at its end', () => {
  expect(readConfiguration({ EXTERNAL_URL: 'https://example.org:8443/' }).EXTERNAL_URL).toBe(
    'https://example.org:8443',
  );
});
