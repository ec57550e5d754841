import { rmSync } from 'node:fs';
import { join } from 'node:path';

export const codeIndexFile = (dataDir: string): string => join(dataDir, 'code-index.db');

/** While nothing has it open: what follows from repositories is made again. */
export function removeCodeIndex(file: string): void {
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
}
