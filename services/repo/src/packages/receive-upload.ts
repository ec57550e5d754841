import type { Readable } from 'node:stream';
import type { RawRecord } from '@forgelog/contracts/params.ts';
import { decodedBody, type Message } from '@forgelog/service-kit/content-encoding.ts';
import { receiveFile } from '@forgelog/service-kit/streamed-file.ts';
import { type ArrivedFile, fileTooLarge } from './store-file.commands.ts';

type Take = (stream: AsyncIterable<Uint8Array>) => Promise<ArrivedFile>;

/** Hands on a file that is the body, or the field `file` of a form. @returns it, with the other fields of the form */
export async function receiveUpload(
  body: Message,
  maxBytes: number,
  take: Take,
): Promise<ArrivedFile & { options: RawRecord }> {
  if (!isForm(body)) return { ...(await receiveBare(body, maxBytes, take)), options: {} };
  const { options, ...file } = await receiveFile(body, { name: 'file', maxBytes }, async (arriving) => ({
    ...(await take(arriving.stream)),
    options: arriving.fields,
  }));
  return { ...file, options: await options };
}

const isForm = ({ headers }: Message) =>
  (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase() === 'multipart/form-data';

/** The stream stays open for the answer when the file is refused. */
function receiveBare(body: Message, maxBytes: number, take: Take): Promise<ArrivedFile> {
  if (Number(body.headers['content-length']) > maxBytes) throw fileTooLarge();
  const unpacked: Readable = decodedBody(body, Number.MAX_SAFE_INTEGER);
  return take(unpacked.iterator({ destroyOnReturn: false }));
}
