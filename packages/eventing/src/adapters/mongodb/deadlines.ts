import type { MongoClientOptions } from 'mongodb';

function stated(url: string, name: string): number | undefined {
  const text = new RegExp(`[?&]${name}=(\\d+)`, 'i').exec(url)?.[1];
  return text === undefined ? undefined : Number(text);
}

export const statedPatience = (url: string): number | undefined => stated(url, 'serverSelectionTimeoutMS');

/** The URL's own settings take precedence. By default the client would wait for an answer forever. */
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
