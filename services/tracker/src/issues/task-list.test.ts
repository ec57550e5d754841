import { expect, test } from 'vitest';
import { countTasks, taskStatus } from './task-list.ts';

test('tasks are the ticked and unticked items of lists', () => {
  const text = [
    'Intro [ ] no item',
    '- [ ] one',
    '* [x] two',
    '+ [X] three',
    '1. [ ] four',
    '  - [x] nested',
    '> - [ ] quoted',
    '- [] none',
    '- [y] none',
    '- [ ]',
    '-[ ] none',
  ].join('\n');
  expect(countTasks(text)).toEqual({ count: 6, completed: 3 });
});

test('code blocks hold no tasks', () => {
  const text =
    '- [x] a\n```\n- [ ] code\n~~~\n```\n- [ ] b\n~~~~\n- [ ] code\n~~~\n- [ ] code\n~~~~\n- [x] c';
  expect(countTasks(text)).toEqual({ count: 3, completed: 2 });
  expect(countTasks('```\n- [ ] never closed')).toEqual({ count: 0, completed: 0 });
});

test('their state is told in words', () => {
  const told = (text: string | null) => {
    const { count, completed } = countTasks(text);
    return taskStatus(text, count, completed);
  };
  expect(told('- [x] a\n- [ ] b')).toBe('1 of 2 tasks completed');
  expect(told('- [x] a')).toBe('1 of 1 task completed');
  expect(told('text')).toBe('0 of 0 tasks completed');
  expect(told('')).toBe('');
  expect(told(null)).toBe('');
});
