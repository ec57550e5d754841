/** Small charts as SVG, the same for the same data. Colours suit a light and a dark page. */
export interface Bar {
  label: string;
  value: number;
  isMarked?: boolean;
}

const WIDTH = 720;
const [INK, BLUE, ORANGE] = ['#6e7781', '#4184e4', '#d4762c'];
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const text = (x: number, y: number, content: string, more = '') =>
  `<text x="${x}" y="${y}" ${more}>${escaped(content)}</text>`;
const rect = (x: number, y: number, width: number, height: number, fill: string, more = '') =>
  `<rect x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" fill="${fill}" ${more}/>`;

function picture(title: string, height: number, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="sans-serif" font-size="12" fill="${INK}">
<title>${escaped(title)}</title>
${text(8, 18, title, 'font-size="14" font-weight="bold"')}
${parts.join('\n')}
</svg>
`;
}

/** Upright bars; labels are left out where there are many. */
export function columnChart(title: string, bars: readonly Bar[]): string {
  const [left, top, height] = [40, 36, 160];
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const step = (WIDTH - left - 8) / bars.length;
  const every = Math.ceil(bars.length / 12);
  return picture(title, top + height + 28, [
    text(left - 6, top + 10, String(most), 'text-anchor="end"'),
    text(left - 6, top + height, '0', 'text-anchor="end"'),
    ...bars.flatMap(({ label, value, isMarked = false }, index) => {
      const size = (value / most) * height;
      const bar = rect(left + index * step, top + height - size, step * 0.85, size, isMarked ? ORANGE : BLUE);
      return index % every === 0
        ? [bar, text(Math.round(left + index * step), top + height + 16, label)]
        : [bar];
    }),
  ]);
}

/** Lying bars, each with what it says. */
export function rowChart(title: string, bars: readonly (Bar & { said: string })[]): string {
  const [left, top, step] = [120, 34, 22];
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return picture(title, top + bars.length * step + 8, [
    ...bars.flatMap(({ label, value, said }, index) => [
      text(left - 8, top + index * step + 14, label, 'text-anchor="end"'),
      rect(left, top + index * step, (value / most) * 420, step - 5, BLUE),
      text(Math.round(left + (value / most) * 420 + 8), top + index * step + 14, said),
    ]),
  ]);
}

/** A table of cells, the darker the more. */
export function gridChart(
  title: string,
  cells: readonly { row: string; column: string; value: number }[],
): string {
  const rows = [...new Set(cells.map(({ row }) => row))].sort();
  const columns = [...new Set(cells.map(({ column }) => column))].sort();
  const [left, top, step] = [200, 56, 22];
  const width = (WIDTH - left - 8) / columns.length;
  const most = Math.max(1, ...cells.map(({ value }) => value));
  return picture(title, top + rows.length * step + 8, [
    ...columns.map((column, index) => text(Math.round(left + index * width), top - 8, column.slice(-3))),
    ...rows.map((row, index) => text(left - 8, top + index * step + 14, row, 'text-anchor="end"')),
    ...cells.map(({ row, column, value }) =>
      rect(
        left + columns.indexOf(column) * width,
        top + rows.indexOf(row) * step,
        width - 2,
        step - 2,
        BLUE,
        `opacity="${(0.15 + (0.85 * value) / most).toFixed(2)}"`,
      ),
    ),
  ]);
}
