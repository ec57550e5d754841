import type { Readable } from 'node:stream';
import { Rejection } from '@forgelog/contracts/errors.ts';
import { type RawRecord, UploadedFile } from '@forgelog/contracts/params.ts';
import busboy from 'busboy';
import { decodedBody, type Message, tooLarge } from './content-encoding.ts';
import { assign, parseJsonBody, parsePairs } from './raw-parameters.ts';

const MAX_FILES = 20;

export interface BodyReading {
  /** Most bytes after unpacking. */
  limit: number;
  into: RawRecord;
  /** Receives the unpacked body; by default all of it in memory. */
  receive?: (unpacked: Readable) => Promise<Buffer>;
}

/**
 * Decodes the body by its media type into `into`.
 * Accepts an empty body with any type: clients send GET and DELETE with a JSON type and nothing in it.
 */
export async function readBody(
  request: Message,
  {
    limit,
    into,
    receive = (unpacked) => collect(unpacked.iterator({ destroyOnReturn: false }), limit),
  }: BodyReading,
): Promise<void> {
  const announced = request.headers['content-length'];
  if (announced === '0' || (announced === undefined && request.headers['transfer-encoding'] === undefined))
    return;
  if (Number(announced) > limit) throw tooLarge(limit);
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  const body = await receive(decodedBody(request, limit));
  if (body.length === 0) return;
  if (type === 'multipart/form-data') return readMultipart(body, request.headers, limit, into);
  const text = utf8(body);
  if (type === 'application/json' || type.endsWith('+json')) parseJsonBody(text, into);
  else if (type === 'application/x-www-form-urlencoded' || type === '') parsePairs(text, into);
  else throw new Rejection('unsupported_media_type', { type });
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function utf8(body: Buffer): string {
  try {
    return decoder.decode(body);
  } catch {
    throw new Rejection('malformed_body', { reason: 'The request body is not valid UTF-8' });
  }
}

export async function collect(stream: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
}

function readMultipart(
  body: Buffer,
  headers: Message['headers'],
  limit: number,
  into: RawRecord,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(
        error instanceof Rejection
          ? error
          : new Rejection('malformed_body', { reason: 'The request body is not valid multipart/form-data' }),
      );
    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers,
        limits: { fileSize: limit, fieldSize: limit, files: MAX_FILES, fields: 1000, parts: 1000 },
        defParamCharset: 'utf8',
      });
    } catch (error) {
      fail(error);
      return;
    }
    parser.on('field', (name, value) => {
      try {
        assign(into, name, value);
      } catch (error) {
        fail(error);
      }
    });
    parser.on('file', (name, stream, info) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      // A file that breaks off reports its error beside the parser.
      stream.on('error', fail);
      stream.on('end', () => {
        try {
          assign(into, name, new UploadedFile(info.filename ?? 'file', info.mimeType, Buffer.concat(chunks)));
        } catch (error) {
          fail(error);
        }
      });
    });
    for (const event of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const) {
      parser.on(event, () =>
        fail(new Rejection('malformed_body', { reason: 'The request body has too many parts' })),
      );
    }
    parser.on('error', fail);
    parser.on('close', resolve);
    parser.end(body);
  });
}
