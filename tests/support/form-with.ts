/** A form with a file, as clients upload one. */
export function formWith(filename: string, content: string | Uint8Array<ArrayBuffer> = 'content'): FormData {
  const form = new FormData();
  form.set('file', new Blob([content]), filename);
  return form;
}
