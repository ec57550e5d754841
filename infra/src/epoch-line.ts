export const epochLine = (after: string): string =>
  `A new epoch of the log begins after ${after}. Readers of the event stream that are beyond it are told to go back.\n`;
