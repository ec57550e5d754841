import type { Directory } from '@forgelog/directory/directory.ts';
import { lineToHtml } from '@forgelog/service-kit/markdown/markdown.ts';
import type { Mail } from './mail-text.ts';

/** The mail between the lines that administrators set for all, where mails have them. */
export async function framed(
  mail: Mail,
  { directory }: { directory: Pick<Directory, 'appearance'> },
): Promise<Mail> {
  const { header_message: header, footer_message: footer, ...look } = await directory.appearance();
  if (!look.email_header_and_footer_enabled) return mail;
  const style = `padding: .25rem 1rem; text-align: center; background: ${look.message_background_color}; color: ${look.message_font_color}`;
  const html = (line: string) => line && `<div style="${style}">${lineToHtml(line)}</div>`;
  const between = (first: string, whole: string, last: string, gap: string) =>
    [first, whole, last].filter((part) => part !== '').join(gap);
  return {
    ...mail,
    text: between(header, mail.text, footer, '\n\n'),
    html: between(html(header), mail.html, html(footer), '\n'),
  };
}
