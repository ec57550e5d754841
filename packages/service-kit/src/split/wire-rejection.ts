import { errorTable } from '@forgelog/contracts/error-table.ts';
import { type ErrorCode, Rejection } from '@forgelog/contracts/errors.ts';
import { z } from 'zod';

/* A refusal on its way from one process to another: the row of the error table and what goes into it. */

const wireRejection = z.object({
  code: z.string().refine((code) => Object.hasOwn(errorTable, code)),
  /** Rows without details have none in JSON either. */
  details: z.unknown().optional(),
  headers: z.record(z.string(), z.string()),
});

export function writeRejection({ code, details, headers }: Rejection): string {
  return JSON.stringify({ code, details, headers });
}

/** @throws Error where it is none */
export function readRejection(text: string): Rejection {
  const { code, details, headers } = wireRejection.parse(JSON.parse(text));
  return new (Rejection as new (code: ErrorCode, details: unknown, headers: object) => Rejection)(
    code as ErrorCode,
    details,
    headers,
  );
}
