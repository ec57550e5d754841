import { expect, test } from 'vitest';
import { renderedAddress } from './badge-address.ts';

const values = {
  project_path: 'engines/analytical',
  project_title: 'Analytical & Co',
  project_name: 'analytical',
  project_id: '7',
  default_branch: 'feature/#1?',
  commit_sha: null,
};

test.each([
  [
    'https://ci.example.org/%{project_path}?id=%{project_id}',
    'https://ci.example.org/engines/analytical?id=7',
  ],
  ['https://ci.example.org/%7Bproject_name%7D', 'https://ci.example.org/%7Bproject_name%7D'],
  ['https://ci.example.org/%%7Bproject_name%7d', 'https://ci.example.org/analytical'],
  ['https://ci.example.org/%{project_name}/%{project_name}', 'https://ci.example.org/analytical/analytical'],
])('%s becomes %s', (address, expected) => {
  expect(renderedAddress(address, values)).toBe(expected);
});

test('what people choose is encoded, so that it changes no other part of the address', () => {
  expect(renderedAddress('https://a/%{project_title}/%{default_branch}', values)).toBe(
    'https://a/Analytical%20%26%20Co/feature/%231%3F',
  );
});

test('a placeholder that is unknown or without a value stays, and a value is not rendered again', () => {
  const address = 'https://a/%{commit_sha}/%{nothing}/%{__proto__}/%{constructor}';
  expect(renderedAddress(address, values)).toBe(address);
  const looped = { ...values, project_name: '%{project_id}' };
  expect(renderedAddress('https://a/%{project_name}', looped)).toBe('https://a/%25%7Bproject_id%7D');
});
