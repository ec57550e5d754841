import type { Readable } from 'node:stream';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { RawRecord } from '@forgelog/contracts/params.ts';
import { ObjectTooLargeError } from '@forgelog/object-store/object-store.ts';
import busboy from 'busboy';
import { decodedBody, type Message, tooLarge } from './content-encoding.ts';

export interface ArrivingFile {
  filename: string;
  mimeType: string;
  stream: Readable;
  /** The other fields of the form, known at its end: some clients send them after the file. */
  fields: Promise<RawRecord>;
}

const FRAME_BYTES = 65_536;
const MAX_PARTS = 20;

/**
 * Hands on the file in this field as it arrives. Resolves once the form has ended well; `take` must read all of the
 * stream or reject. @throws Rejection for other bodies, and for a file that is too large or missing
 */
export async function receiveFile<T>(
  request: Message,
  { name, maxBytes }: { name: string; maxBytes: number },
  take: (file: ArrivingFile) => Promise<T>,
): Promise<T> {
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (type !== 'multipart/form-data') throw new Rejection('unsupported_media_type', { type });
  if (Number(request.headers['content-length']) > maxBytes + FRAME_BYTES) throw tooLarge(maxBytes);
  const parser = openParser(request);
  const body = decodedBody(request, maxBytes + FRAME_BYTES);
  let taken: Promise<T> | undefined;
  const fields: RawRecord = Object.create(null);
  const told = Promise.withResolvers<RawRecord>();
  told.promise.catch(() => {});

  await new Promise<void>((resolve, reject) => {
    const fail = (error: unknown) => {
      body.unpipe(parser);
      parser.destroy();
      told.reject(error);
      reject(refusalOf(error, maxBytes));
    };
    parser.on('file', (field, stream, { filename, mimeType }) => {
      // Without a listener, a form that breaks off would end the process.
      stream.on('error', () => {});
      if (field !== name || taken) return void stream.resume();
      taken = take({ filename: filename ?? name, mimeType, stream, fields: told.promise });
      taken.catch(fail);
    });
    parser.on('field', (field, value) => {
      fields[field] = value;
    });
    parser.on('partsLimit', () => fail(malformed('has too many parts')));
    parser.on('error', () => fail(malformed('is not valid multipart/form-data')));
    parser.on('close', () => {
      told.resolve(fields);
      resolve();
    });
    body.on('error', fail);
    body.on('close', () => {
      if (!body.readableEnded) fail(malformed('broke off'));
    });
    body.pipe(parser);
  });
  if (!taken) throw new Rejection('invalid_parameters', { problems: [`${name} is missing`] });
  return taken;
}

function openParser({ headers }: Message): busboy.Busboy {
  try {
    return busboy({ headers, limits: { fieldSize: FRAME_BYTES, parts: MAX_PARTS }, defParamCharset: 'utf8' });
  } catch {
    throw malformed('is not valid multipart/form-data');
  }
}

function refusalOf(error: unknown, maxBytes: number): unknown {
  return error instanceof ObjectTooLargeError ? tooLarge(maxBytes) : error;
}

const malformed = (what: string) => new Rejection('malformed_body', { reason: `The request body ${what}` });
