export type LogItem =
  | { kind: 'line'; text: string }
  /** `time` is in seconds since 1970. */
  | { kind: 'section'; name: string; time: number; collapsed: boolean }
  | { kind: 'end'; name: string; time: number };

export interface LogReader {
  /** Takes the next part of a log, and returns what is complete now. */
  push(text: string): LogItem[];
  /** The line that has not ended yet, without its control characters. */
  unfinished(): string;
}

export function createLogReader(): LogReader;
