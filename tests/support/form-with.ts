interface SentFile {
  name: string;
  content?: string | Uint8Array<ArrayBuffer>;
  field?: string;
}

/** A form with a file, and with other fields. */
export function formWith(
  { name, content = 'content', field = 'file' }: SentFile,
  fields: Readonly<Record<string, string | number>> = {},
): FormData {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.set(key, String(value));
  form.set(field, new Blob([content]), name);
  return form;
}

/** The beginning of an image is enough for an avatar. */
export const AVATAR: SentFile = {
  name: 'me.png',
  field: 'avatar',
  content: new Uint8Array([0x89, ...Buffer.from('PNG\r\n\x1a\nimage')]),
};

/** The same form as bytes, for what sends a body as it is. */
export const fileBody = () => ({
  body: [
    '--boundary',
    'Content-Disposition: form-data; name="file"; filename="notes.txt"',
    '',
    'content',
    '--boundary--',
    '',
  ].join('\r\n'),
  headers: { 'Content-Type': 'multipart/form-data; boundary=boundary' },
});
