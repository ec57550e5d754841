/** What a licence asks and allows, in the words of the API family. */
export interface LicenseTemplate {
  key: string;
  nickname: string | null;
  popular: boolean;
  description: string;
  conditions: readonly string[];
  permissions: readonly string[];
  limitations: readonly string[];
  /** Name, text and where it comes from. */
  text: () => Promise<{ default: LicenseText }>;
}

interface LicenseText {
  name: string;
  url: string;
  licenseText: string;
}

const json = { with: { type: 'json' } } as const;
const USES = ['commercial-use', 'modifications', 'distribution', 'private-use'];
const NOTHING_PROMISED = ['liability', 'warranty'];
const COPYLEFT = ['include-copyright', 'document-changes', 'disclose-source', 'same-license'];
const common = {
  ...{ nickname: null, popular: false },
  ...{ conditions: ['include-copyright'], permissions: USES, limitations: NOTHING_PROMISED },
};

/** The licences that projects take most, by key. */
export const LICENSES: readonly LicenseTemplate[] = [
  {
    ...common,
    key: 'agpl-3.0',
    nickname: 'GNU AGPLv3',
    description: 'Strong copyleft that also covers use over a network.',
    conditions: [...COPYLEFT, 'network-use-disclose'],
    permissions: [...USES, 'patent-use'],
    text: () => import('spdx-license-list/licenses/AGPL-3.0-only.json', json),
  },
  {
    ...common,
    key: 'apache-2.0',
    popular: true,
    description: 'Permissive, with a grant of patents by those who contribute.',
    conditions: ['include-copyright', 'document-changes'],
    permissions: [...USES, 'patent-use'],
    limitations: ['trademark-use', ...NOTHING_PROMISED],
    text: () => import('spdx-license-list/licenses/Apache-2.0.json', json),
  },
  {
    ...common,
    key: 'bsd-2-clause',
    description: 'Short and permissive, in two clauses.',
    text: () => import('spdx-license-list/licenses/BSD-2-Clause.json', json),
  },
  {
    ...common,
    key: 'bsd-3-clause',
    description: 'Permissive; names of authors may not promote what others make of it.',
    text: () => import('spdx-license-list/licenses/BSD-3-Clause.json', json),
  },
  {
    ...common,
    key: 'bsl-1.0',
    description: 'Permissive; programs without their source need no notice.',
    conditions: ['include-copyright--source'],
    text: () => import('spdx-license-list/licenses/BSL-1.0.json', json),
  },
  {
    ...common,
    key: 'cc0-1.0',
    description: 'Gives up all rights that the law allows to give up.',
    conditions: [],
    limitations: [...NOTHING_PROMISED, 'trademark-use', 'patent-use'],
    text: () => import('spdx-license-list/licenses/CC0-1.0.json', json),
  },
  {
    ...common,
    key: 'epl-2.0',
    description: 'Weak copyleft for files, with a grant of patents.',
    conditions: ['disclose-source', 'include-copyright', 'same-license'],
    permissions: [...USES, 'patent-use'],
    text: () => import('spdx-license-list/licenses/EPL-2.0.json', json),
  },
  {
    ...common,
    key: 'gpl-2.0',
    nickname: 'GNU GPLv2',
    description: 'Copyleft: who passes it on gives the source under the same licence.',
    conditions: COPYLEFT,
    text: () => import('spdx-license-list/licenses/GPL-2.0-only.json', json),
  },
  {
    ...common,
    key: 'gpl-3.0',
    nickname: 'GNU GPLv3',
    popular: true,
    description: 'Copyleft with a grant of patents, for devices too.',
    conditions: COPYLEFT,
    permissions: [...USES, 'patent-use'],
    text: () => import('spdx-license-list/licenses/GPL-3.0-only.json', json),
  },
  {
    ...common,
    key: 'lgpl-2.1',
    nickname: 'GNU LGPLv2.1',
    description: 'Copyleft for a library, and not for programs that use it.',
    conditions: ['include-copyright', 'disclose-source', 'document-changes', 'same-license--library'],
    text: () => import('spdx-license-list/licenses/LGPL-2.1-only.json', json),
  },
  {
    ...common,
    key: 'mit',
    popular: true,
    description: 'Short and permissive: keep the notice, and do what you want.',
    text: () => import('spdx-license-list/licenses/MIT.json', json),
  },
  {
    ...common,
    key: 'mpl-2.0',
    description: 'Weak copyleft for files; they may be part of a larger work under other terms.',
    conditions: ['disclose-source', 'include-copyright', 'same-license--file'],
    permissions: [...USES, 'patent-use'],
    limitations: ['liability', 'trademark-use', 'warranty'],
    text: () => import('spdx-license-list/licenses/MPL-2.0.json', json),
  },
  {
    ...common,
    key: 'unlicense',
    description: 'Gives the work to everybody, without conditions.',
    conditions: [],
    text: () => import('spdx-license-list/licenses/Unlicense.json', json),
  },
];
