import type { z } from 'zod';
import type { ServiceName } from './endpoint.ts';

export type AskedService = Exclude<ServiceName, 'gateway'>;

/** The contract of what one service asks of another: a call where both run in one process, signed HTTP apart. */
export interface Operation<
  Effect extends 'read' | 'write' = 'read' | 'write',
  Request extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  /** Stable name, the noun first: `group-projects-list`. */
  id: string;
  /** The service that answers. */
  service: AskedService;
  summary: string;
  /**
   * `read` changes nothing and may be repeated. `write` carries an id of its caller's, is done once under that id, and
   * answers the same when it is asked again (ADR 31).
   */
  effect: Effect;
  /** Both are plain JSON, so that they arrive as they were sent. Each side parses what comes in and what goes out. */
  request: Request;
  answer: Answer;
  /** From the call to the last byte of its answer, repetitions included. */
  deadlineMs: number;
}

/** Long enough for a list of any project; an operation that runs git names its own. */
const DEADLINE_MS = 30_000;

export function defineOperation<
  const Effect extends 'read' | 'write',
  Request extends z.ZodType,
  Answer extends z.ZodType,
>(
  definition: Omit<Operation<Effect, Request, Answer>, 'deadlineMs'> & { deadlineMs?: number },
): Operation<Effect, Request, Answer> {
  return { deadlineMs: DEADLINE_MS, ...definition };
}

export type RequestOf<O extends Operation> = z.output<O['request']>;
export type AnswerOf<O extends Operation> = z.output<O['answer']>;
