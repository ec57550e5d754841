/** What a badge says: a text on the left, and a value with its colour. Widths are pixels. */
export interface Badge {
  key: string;
  keyWidth: number;
  value: string;
  colour: string;
  style: 'flat' | 'flat-square';
}

const HEIGHT = 20;
const LEAST_VALUE_WIDTH = 54;
const LETTER_WIDTH = 6.5;
const PADDING = 10;
const GREY = '#555';

/** An SVG without scripts, links or files of other servers. */
export function badgeImage({ key, keyWidth, value, colour, style }: Badge): string {
  const valueWidth = Math.max(LEAST_VALUE_WIDTH, Math.ceil(value.length * LETTER_WIDTH) + PADDING);
  const width = keyWidth + valueWidth;
  const isFlat = style === 'flat';
  const [left, right] = [escaped(key), escaped(value)];
  const text = (x: number, content: string) =>
    `${isFlat ? `<text x="${x}" y="15" fill="#010101" fill-opacity=".3">${content}</text>` : ''}<text x="${x}" y="14">${content}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" role="img" aria-label="${left}: ${right}">`,
    `<title>${left}: ${right}</title>`,
    isFlat
      ? '<linearGradient id="b" x2="0" y2="100%"><stop offset="0" stop-color="#bbb" stop-opacity=".1"/><stop offset="1" stop-opacity=".1"/></linearGradient>'
      : '',
    `<clipPath id="a"><rect width="${width}" height="${HEIGHT}" rx="${isFlat ? 3 : 0}" fill="#fff"/></clipPath>`,
    '<g clip-path="url(#a)">',
    `<rect width="${keyWidth}" height="${HEIGHT}" fill="${GREY}"/>`,
    `<rect x="${keyWidth}" width="${valueWidth}" height="${HEIGHT}" fill="${colour}"/>`,
    isFlat ? `<rect width="${width}" height="${HEIGHT}" fill="url(#b)"/>` : '',
    '</g>',
    '<g fill="#fff" text-anchor="middle" font-family="DejaVu Sans,Verdana,Geneva,sans-serif" font-size="11">',
    text(keyWidth / 2, left),
    text(keyWidth + valueWidth / 2, right),
    '</g></svg>',
  ].join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_IN_XML, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
