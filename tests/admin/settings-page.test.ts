import { join } from 'node:path';
import { SETTING_NAMES, settingOf } from '@forgelog/contracts/admin/settings/application-settings.ts';
import { expect, test } from 'vitest';

const SUPPORT = { acts: 'acts', shown: 'is shown to clients', none: 'not supported: keeps its value' };

/** `npm run vitest -- run tests/admin/settings-page.test.ts -u` writes the page anew. */
test('docs/settings.md says of each setting what it does here', async () => {
  const rows = SETTING_NAMES.map((name) => {
    const { about, fallback, support } = settingOf(name);
    return [`\`${name}\``, `\`${JSON.stringify(fallback)}\``, SUPPORT[support ?? 'none'], about];
  });
  const page = [
    '# Application settings',
    '',
    'Written by `npm run vitest -- run tests/admin/settings-page.test.ts -u` from `application-settings.ts`.',
    '',
    'A setting acts, is shown to clients, or is not supported: it keeps its value, and others are refused. The environment says the',
    'default of `max_attachment_size` (`MAX_UPLOAD_MB`), `deletion_adjourned_period` (`DELETION_ADJOURNED_PERIOD`) and',
    '`keep_latest_artifact` (`CI_KEEP_LATEST_ARTIFACTS`).',
    '',
    ...tableOf([['setting', 'default', 'here', 'what it is'], ...rows]),
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot(join(import.meta.dirname, '../../docs/settings.md'));
});

function tableOf([head, ...rows]: string[][]): string[] {
  const widths = head!.map((_, at) => Math.max(...[head!, ...rows].map((row) => row[at]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(' | ')} |`;
  return [line(head!), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)];
}
