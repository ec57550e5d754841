import { z } from 'zod';
import { personal } from '../../personal-data.ts';

/** How the instance presents itself. What nothing here shows is in `UNSHOWN`, and never has a value. */
export const appearanceFields = {
  title: personal(z.string().describe('Name of the instance on its pages; empty for the usual one.')),
  description: personal(
    z.string().describe('What the first page says, as Markdown; empty for the usual text.'),
  ),
  header_message: personal(z.string().describe('Line above each page; empty for none.')),
  footer_message: personal(z.string().describe('Line below each page; empty for none.')),
  message_background_color: z.string().describe('Colour behind both lines, as `#` and hexadecimal digits.'),
  message_font_color: z.string().describe('Colour of both lines.'),
  email_header_and_footer_enabled: z.boolean().describe('Whether mails have both lines, too.'),
};

const appearance = z.object(appearanceFields);
export type Appearance = z.output<typeof appearance>;

export const APPEARANCE_FALLBACKS: Appearance = {
  ...{ title: '', description: '', header_message: '', footer_message: '' },
  ...{ message_background_color: '#E75E40', message_font_color: '#FFFFFF' },
  email_header_and_footer_enabled: false,
};

/** Texts of pages that are not here: one to create projects, and one of profiles. */
export const UNSHOWN_TEXTS = ['new_project_guidelines', 'profile_image_guidelines'] as const;
export const UNSHOWN_IMAGES = ['logo', 'header_logo', 'favicon'] as const;
