import { expect, test } from 'vitest';
import { filledTemplate } from './message-template.ts';

const filled = (template: string) =>
  filledTemplate(template, {
    title: () => 'A %{title}',
    issues: () => '',
    description: async () => 'One\nTwo',
    large: () => 'x'.repeat(2_000_000),
    broken: () => {
      throw new Error('nobody asked for it');
    },
  });

test.each([
  ['%{title}', 'A %{title}'],
  ['Merge %{title} (%{unknown})', 'Merge A %{title} (%{unknown})'],
  ['%{title}\n\n%{issues}\n\nSee %{title}', 'A %{title}\n\nSee A %{title}'],
  ['%{issues}\n%{title}', 'A %{title}'],
  ['Closes: %{issues}\n%{description}', 'Closes: \nOne\nTwo'],
  ['a\r\n  %{issues}  \r\nb', 'a\nb'],
  ['%{toString} %{__proto__} %{ title } %title', '%{toString} %{__proto__} %{ title } %title'],
  ['', ''],
])('%j is filled', async (template, text) => {
  expect(await filled(template)).toBe(text);
});

test('a message has bounds, however often a variable is named', async () => {
  expect((await filled('%{large}')).length).toBe(100_000);
  expect((await filled('%{large}'.repeat(50))).length).toBe(1_000_000);
});
