import type { licenseTemplateView } from '@forgelog/contracts/repo/templates/template.api.ts';
import type { z } from 'zod';
import type { LicenseTemplate } from './license-texts.ts';

/** What a text is filled in with; undefined leaves the mark that stands there. */
export interface LicenseValues {
  year: string;
  project: string | undefined;
  fullname: string | undefined;
}

const MARKS: readonly [marks: RegExp, value: keyof LicenseValues][] = [
  [/<year>|\[yyyy\]/g, 'year'],
  [/<copyright holders>|<owner>|<name of author>|\[name of copyright owner\]/g, 'fullname'],
  [/<program>|<one line to give the program's name and a brief idea of what it does\.>/g, 'project'],
];

export async function shownLicense(
  license: LicenseTemplate,
  values: LicenseValues,
): Promise<z.output<typeof licenseTemplateView>> {
  const { key, nickname, popular, description, conditions, permissions, limitations } = license;
  const { name, url, licenseText } = (await license.text()).default;
  const content = MARKS.reduce((text, [marks, from]) => {
    const value = values[from];
    return value ? text.replace(marks, () => value) : text;
  }, licenseText);
  return {
    ...{ key, name, nickname, featured: popular, popular, description },
    html_url: `https://choosealicense.com/licenses/${key}/`,
    // Some have more than one address.
    source_url: url.split(/\s/, 1)[0]!,
    ...{ conditions: [...conditions], permissions: [...permissions], limitations: [...limitations] },
    content,
  };
}
