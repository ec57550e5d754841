import type { Directory } from '@forgelog/directory/directory.ts';
import { escapeHtml } from '@forgelog/service-kit/html.ts';
import { lineToHtml, markdownToHtml } from '@forgelog/service-kit/markdown/markdown.ts';

/** What administrators set for all pages, as HTML. */
export interface PageLook {
  /** Name of the instance. */
  title: string;
  /** Null for the usual text. */
  description: string | null;
  header: string;
  footer: string;
}

export type ReadPageLook = () => Promise<PageLook>;

export const pageLook =
  (directory: Pick<Directory, 'appearance'>): ReadPageLook =>
  async () => {
    const { title, description, header_message, footer_message, ...colors } = await directory.appearance();
    const { message_background_color: behind, message_font_color: font } = colors;
    const lineOf = (role: 'header' | 'footer', text: string) =>
      text === ''
        ? ''
        : `<div id="${role}-message" style="padding: .25rem 1rem; text-align: center; background: ${behind}; color: ${font}">${lineToHtml(text)}</div>\n`;
    return {
      title: escapeHtml(title === '' ? 'Forgelog' : title),
      description: description === '' ? null : await markdownToHtml(description),
      header: lineOf('header', header_message),
      footer: lineOf('footer', footer_message),
    };
  };
