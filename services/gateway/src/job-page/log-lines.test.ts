import { expect, test } from 'vitest';
import { createLogReader } from './log-lines.js';

const line = (text: string) => ({ kind: 'line', text });

test('a line ends with its line feed, wherever the log is cut', () => {
  const log = 'one\ntwo\r\n\nthree';
  for (let cut = 0; cut <= log.length; cut++) {
    const reader = createLogReader();
    const items = [...reader.push(log.slice(0, cut)), ...reader.push(log.slice(cut))];
    expect(items).toEqual([line('one'), line('two'), line('')]);
    expect(reader.unfinished()).toBe('three');
  }
});

test('a carriage return begins the line anew, as on a terminal', () => {
  const reader = createLogReader();
  expect(reader.push('10 %\r20 %\r\x1b[0K30 %\n')).toEqual([line('30 %')]);
  reader.push('40 %\r\x1b[32m50 %');
  expect(reader.unfinished()).toBe('50 %');
});

test('sections of the stock agent, which ends one and begins the next in one line', () => {
  const reader = createLogReader();
  const erase = '\x1b[0K';
  const log =
    `${erase}section_start:1600000000:prepare\r${erase}${erase}\x1b[36;1mPreparing\x1b[0;m\n` +
    'ready\n' +
    `section_end:1600000002:prepare\r${erase}section_start:1600000002:script.one[collapsed=true]\r${erase}Script\n` +
    `section_end:1600000005:script.one\r${erase}\n`;
  expect(reader.push(log)).toEqual([
    { kind: 'section', name: 'prepare', time: 1_600_000_000, collapsed: false },
    line('\x1b[36;1mPreparing\x1b[0;m'),
    line('ready'),
    { kind: 'end', name: 'prepare', time: 1_600_000_002 },
    { kind: 'section', name: 'script.one', time: 1_600_000_002, collapsed: true },
    line('Script'),
    { kind: 'end', name: 'script.one', time: 1_600_000_005 },
  ]);
});
