import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { badgeImage } from './badge-image.ts';

const BADGE = { key: 'pipeline', keyWidth: 62, value: 'passed', colour: '#4c1', style: 'flat' } as const;

/** Names of the elements, and the texts between them. @throws Error for what is no XML */
function readXml(xml: string) {
  const parser = new SaxesParser();
  const [elements, texts]: [string[], string[]] = [[], []];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name }) => elements.push(name));
  parser.on('text', (text) => text && texts.push(text));
  parser.write(xml).close();
  return { elements, texts };
}

test('a badge says its key and its value, as wide as they need', () => {
  expect(readXml(badgeImage(BADGE)).texts).toEqual([
    'pipeline: passed',
    ...['pipeline', 'pipeline', 'passed', 'passed'],
  ]);
  expect(badgeImage(BADGE)).toContain('width="116" height="20"');
  expect(badgeImage({ ...BADGE, value: 'waiting for resource', keyWidth: 100 })).toContain('width="240"');
});

test('a square badge has no gradient, no shadow and no round corners', () => {
  const { elements, texts } = readXml(badgeImage({ ...BADGE, style: 'flat-square' }));
  expect(elements).not.toContain('linearGradient');
  expect(texts).toEqual(['pipeline: passed', 'pipeline', 'passed']);
});

test('whatever the key is, it stays a text of a well-formed image', () => {
  const key = `"><script>alert(1)</script>&amp;'\u0000\u001b\ud800`;
  const { elements, texts } = readXml(badgeImage({ ...BADGE, key }));
  expect(elements).not.toContain('script');
  expect(texts[1]).toBe(`"><script>alert(1)</script>&amp;'\ufffd`);
});
