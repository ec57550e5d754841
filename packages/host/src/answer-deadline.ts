import type { Server, ServerResponse } from 'node:http';
import type { Rejection } from '@forgelog/contracts/errors.ts';
import type { Logger } from '@forgelog/service-kit/log.ts';
import { unavailable } from '@forgelog/service-kit/unavailable.ts';
import { latestResponses } from './listener.ts';

export interface AnswerDeadlineOptions {
  answerMs: number;
  log: Logger;
  refuse: (response: ServerResponse, rejection: Rejection) => void;
}

const RETRY_S = 5;

/**
 * Refuses requests that have no head of an answer in time after they came whole, whatever their handler waits for: what each
 * port promises is not all that can go wrong. Looks at open connections now and then, so that a request costs nothing.
 * A connection whose refusal does not get through either is closed. Ends with the server.
 */
export function limitAnswers(server: Server, { answerMs, log, refuse }: AnswerDeadlineOptions): void {
  /** Since when a response was found due. */
  const due = new WeakMap<ServerResponse, number>();
  const refused = new WeakSet<ServerResponse>();

  function look(): void {
    const now = performance.now();
    for (const response of latestResponses(server)) {
      const { req: request } = response;
      if (response.writableFinished || (response.headersSent && !refused.has(response))) continue;
      // Nobody has begun to read a body that is still coming: the handler waits for something else than the caller.
      const isOurTurn = request.complete || request.readableFlowing === null;
      if (!isOurTurn) continue;
      const since = due.get(response);
      if (since === undefined) due.set(response, now);
      else if (now - since >= answerMs) {
        due.set(response, now);
        giveUp(response);
      }
    }
  }

  function giveUp(response: ServerResponse): void {
    const { method, url = '' } = response.req;
    if (refused.has(response)) return void response.destroy();
    refused.add(response);
    log.error({ method, path: url.split('?')[0] }, `no answer within ${answerMs} ms`);
    const reads = method === 'GET' || method === 'HEAD';
    response.shouldKeepAlive = false;
    refuse(
      response,
      reads
        ? unavailable('the answer took too long', RETRY_S)
        : unavailable('the answer took too long; whether the change was made is not known', null),
    );
  }

  const timer = setInterval(look, Math.min(1_000, answerMs / 4));
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
