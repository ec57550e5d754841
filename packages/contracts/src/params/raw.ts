/** A parameter before decoding; objects have no prototype. */
export type RawValue = string | number | boolean | null | RawValue[] | RawRecord | UploadedFile;
export interface RawRecord {
  [name: string]: RawValue;
}

/** A file of a multipart body, in memory up to the endpoint's body limit. */
export class UploadedFile {
  readonly filename: string;
  readonly mediaType: string;
  readonly content: Buffer;

  constructor(filename: string, mediaType: string, content: Buffer) {
    this.filename = filename;
    this.mediaType = mediaType;
    this.content = content;
  }
}

/**
 * The values of a repeated plain name (`x=a&x=b`). A list takes all of them, any other parameter the last one, as
 * stock servers do. python-gitlab 2 repeats parameters when it follows a `next` link.
 */
export class Repeated extends Array<RawValue> {}

export function isRecord(raw: RawValue | undefined): raw is RawRecord {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !(raw instanceof UploadedFile);
}
