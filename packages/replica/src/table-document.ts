import type { Column } from './table.ts';
import { parts } from './tables.ts';

/** The tables in Markdown, as `tables.md` shows them. */
export function describeTables(): string {
  const sections = parts.flatMap(({ records = [], facts = [], views = [] }) => [
    ...records.flatMap(({ name, about, columns, key, history }) => [
      section(name, about, columns, key),
      ...(history === null
        ? []
        : [
            `## ${history.name}\n\nA row for each time in which ${history.columns.map((column) => `\`${column}\``).join(' and ')} of a row of \`${name}\` kept their values: from \`valid_from\` until before \`valid_until\`, which is null for the present. It has the columns ${[...key, ...history.columns].map((column) => `\`${column}\``).join(', ')}, too.\n`,
          ]),
    ]),
    ...facts.map(({ name, about, columns, key }) => section(name, about, columns, key)),
    ...views.map(({ name, about }) => `## ${name}\n\n${about} It is a view.\n`),
  ]);
  return `# Tables of a replica

Printed by \`forgelog-replica tables\`. Times are texts in ISO 8601 and UTC, and compare as such. A row of a record stays
when the record ends: \`WHERE ended_at IS NULL\` leaves those that exist now.

${sections.join('\n')}`;
}

function section(
  name: string,
  about: string,
  columns: Readonly<Record<string, Column>>,
  key: readonly string[],
): string {
  const rows = [
    ['column', 'type', 'meaning'],
    ...Object.entries(columns).map(([column, { type, about: text }]) => [
      `\`${column}\``,
      type.toLowerCase(),
      text.replaceAll('|', '\\|'),
    ]),
  ];
  const widths = rows[0]!.map((_, index) => Math.max(...rows.map((cells) => cells[index]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index]!)).join(' | ')} |`;
  const [head, ...body] = rows;
  return `## ${name}

${about} Key: ${key.map((column) => `\`${column}\``).join(', ')}.

${[line(head!), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')}
`;
}
