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
 * Refuses a request without a response head `answerMs` after it arrived; polls connections, so that requests pay
 * nothing.
 */
export function limitAnswers(server: Server, { answerMs, log, refuse }: AnswerDeadlineOptions): void {
  const due = new WeakMap<ServerResponse, number>();
  const refused = new WeakSet<ServerResponse>();

  function checkResponses(): void {
    const now = performance.now();
    for (const response of latestResponses(server)) {
      const { req: request } = response;
      if (response.writableFinished || (response.headersSent && !refused.has(response))) continue;
      // Nobody reads the body that still arrives: the handler waits for something other than the caller.
      const waitsForHandler = request.complete || request.readableFlowing === null;
      if (!waitsForHandler) continue;
      const since = due.get(response);
      if (since === undefined) due.set(response, now);
      else if (now - since >= answerMs) {
        due.set(response, now);
        timeOut(response);
      }
    }
  }

  function timeOut(response: ServerResponse): void {
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

  const timer = setInterval(checkResponses, Math.min(1_000, answerMs / 4));
  timer.unref();
  server.once('close', () => clearInterval(timer));
}
