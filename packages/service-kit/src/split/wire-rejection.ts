import { errorTable } from '@forgelog/contracts/error-table.ts';
import { type ErrorCode, Rejection } from '@forgelog/contracts/errors.ts';
import { z } from 'zod';

/* A refusal between processes: the code of its row in the error table and the row's details. */

const wireRejection = z.object({
  code: z.string().refine((code) => Object.hasOwn(errorTable, code)),
  details: z.unknown().optional(),
  headers: z.record(z.string(), z.string()),
});

export function writeRejection({ code, details, headers }: Rejection): string {
  return JSON.stringify({ code, details, headers });
}

export function readRejection(text: string): Rejection {
  const { code, details, headers } = wireRejection.parse(JSON.parse(text));
  return new (Rejection as new (code: ErrorCode, details: unknown, headers: object) => Rejection)(
    code as ErrorCode,
    details,
    headers,
  );
}
