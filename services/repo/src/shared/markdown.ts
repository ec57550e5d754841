import MarkdownIt from 'markdown-it';

/** HTML in the text is shown as text, and links have only schemes that run nothing: no output needs cleaning. */
const renderer = new MarkdownIt({ html: false, linkify: true });

export const markdownToHtml = (text: string): string => renderer.render(text);
