/** On a terminal one line, else a line now and then. */
export interface Progress {
  step(text: string): void;
  note(text: string): void;
  end(): void;
}

const TERMINAL_MS = 200;
const FILE_MS = 10_000;

export function createProgress(output: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>): Progress {
  let next = 0;
  const clear = output.isTTY ? '\r\x1b[K' : '';
  return {
    step(text) {
      const now = Date.now();
      if (now < next) return;
      next = now + (output.isTTY ? TERMINAL_MS : FILE_MS);
      output.write(output.isTTY ? `${clear}${text}` : `${text}\n`);
    },
    note: (text) => void output.write(`${clear}${text}\n`),
    end: () => void output.write(clear),
  };
}
