import type { MongoClientOptions } from 'mongodb';

/** Milliseconds; undefined where the address does not say it. */
function stated(url: string, name: string): number | undefined {
  const text = new RegExp(`[?&]${name}=(\\d+)`, 'i').exec(url)?.[1];
  return text === undefined ? undefined : Number(text);
}

export const statedPatience = (url: string): number | undefined => stated(url, 'serverSelectionTimeoutMS');

/**
 * How long a client looks for a server, and waits for what it says; what the address says of it counts more. Left to
 * itself, the client would wait for an answer for ever.
 */
export function deadlines(
  url: string,
  { lookMs, answerMs }: { lookMs: number; answerMs: number },
): MongoClientOptions {
  return {
    serverSelectionTimeoutMS: statedPatience(url) ?? lookMs,
    connectTimeoutMS: stated(url, 'connectTimeoutMS') ?? lookMs,
    socketTimeoutMS: stated(url, 'socketTimeoutMS') ?? answerMs,
  };
}
