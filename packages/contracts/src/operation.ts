import type { z } from 'zod';
import type { ServiceName } from './endpoint.ts';

export type AskedService = Exclude<ServiceName, 'gateway'>;

/** The contract of a call between services: local in one process, signed HTTP between processes. */
export interface Operation<
  Effect extends 'read' | 'write' = 'read' | 'write',
  Request extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  /** Stable name, noun first: `group-projects-list`. */
  id: string;
  service: AskedService;
  summary: string;
  /**
   * `read` has no effect and may be repeated. `write` carries an id from its caller, happens once per id, and repeats
   * its answer (ADR 31).
   */
  effect: Effect;
  /** Plain JSON, so that the network does not change it. Each side validates what it receives. */
  request: Request;
  answer: Answer;
  /** Milliseconds from the call to the last byte of its answer, retries included. */
  deadlineMs: number;
  /**
   * Whether the answer is read from the repository of the request's `projectId`: then only the instance that holds its
   * storage answers (ADR 11).
   */
  readsRepository: boolean;
}

/** Enough for a list of any project; operations that run git set their own. */
const DEADLINE_MS = 30_000;

export function defineOperation<
  const Effect extends 'read' | 'write',
  Request extends z.ZodType,
  Answer extends z.ZodType,
>(
  definition: Omit<Operation<Effect, Request, Answer>, 'deadlineMs' | 'readsRepository'> &
    Partial<Pick<Operation, 'deadlineMs' | 'readsRepository'>>,
): Operation<Effect, Request, Answer> {
  return { deadlineMs: DEADLINE_MS, readsRepository: false, ...definition };
}

export type RequestOf<O extends Operation> = z.output<O['request']>;
export type AnswerOf<O extends Operation> = z.output<O['answer']>;
