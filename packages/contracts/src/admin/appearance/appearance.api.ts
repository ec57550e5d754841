import { z } from 'zod';
import { administrator, defineEndpoint } from '../../endpoint.ts';
import { bool, described, file, nullable, text } from '../../params.ts';
import { defineView } from '../../views.ts';
import examples from './appearance.examples.json' with { type: 'json' };

/** How the instance presents itself (companions 2.11). */
export const appearanceView = defineView(
  'Appearance',
  {
    title: z.string(),
    description: z.string(),
    logo: z.null(),
    header_logo: z.null(),
    favicon: z.null(),
    new_project_guidelines: z.string(),
    profile_image_guidelines: z.string(),
    header_message: z.string(),
    footer_message: z.string(),
    message_background_color: z.string(),
    message_font_color: z.string(),
    email_header_and_footer_enabled: z.boolean(),
  },
  examples.Appearance,
);

const one = {
  service: 'admin',
  access: administrator,
  path: '/application/appearance',
  spec: 'companions 2.11',
} as const;

const words = (about: string, max: number, example: string) =>
  described(text({ max }), about, { examples: [example] });
const color = (of: string, example: string) =>
  described(text({ max: 7 }), `Colour of ${of}`, {
    examples: [example],
    pattern: '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$',
  });
const unshown = (what: string) => described(text({ max: 65_535 }), `${what}; not supported here`);
const image = (what: string) => described(nullable(file()), `${what}; not supported here`);

export const getAppearance = defineEndpoint({
  ...one,
  id: 'appearance-get',
  method: 'GET',
  summary: 'How the instance presents itself',
  params: {},
  response: appearanceView,
});

export const updateAppearance = defineEndpoint({
  ...one,
  id: 'appearance-update',
  method: 'PUT',
  summary: 'Change how the instance presents itself; what nothing here shows is refused',
  params: {
    title: words('Name of the instance on its pages; empty for the usual one', 255, 'Engines'),
    description: words('What the first page says, as Markdown', 20_000, 'Where the engines are built.'),
    header_message: words('Line above each page', 2_000, 'The server rests on Sunday'),
    footer_message: words('Line below each page', 2_000, 'Run by the engineers'),
    message_background_color: color('what is behind both lines', '#E75E40'),
    message_font_color: color('both lines', '#FFFFFF'),
    email_header_and_footer_enabled: described(bool(), 'Whether mails have both lines, too'),
    new_project_guidelines: unshown('What the page says that creates projects'),
    profile_image_guidelines: unshown('What the page of profiles says'),
    logo: image('Image of the page to sign in'),
    header_logo: image('Image above each page'),
    favicon: image('Image of the tab'),
  },
  response: appearanceView,
});

export const appearanceEndpoints = [getAppearance, updateAppearance];
