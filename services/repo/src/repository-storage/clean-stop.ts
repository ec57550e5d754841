import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const markOf = (lastEvent: string, { ino }: { ino: number }) => `${lastEvent} ${ino}\n`;

/**
 * The marker of a clean stop in a folder of repositories. It holds the storage's last event and its own inode, since a
 * copied folder has another. A repository older than it matches the log.
 */
export const cleanStopPath = (root: string): string => join(root, 'clean-stop');

/**
 * The marker's change time if the last stop was clean and left this same folder; else null.
 * @param lastEvent if given, the log too must be the same
 */
export async function cleanStop(root: string, lastEvent?: string): Promise<number | null> {
  const path = cleanStopPath(root);
  const [text, file] = await Promise.all([readFile(path, 'utf8'), stat(path)]).catch(() => []);
  if (!file || text === undefined) return null;
  return text === markOf(lastEvent ?? text.split(' ')[0]!, file) ? file.ctimeMs : null;
}

export async function markCleanStop(root: string, lastEvent: string): Promise<void> {
  const path = cleanStopPath(root);
  await writeFile(path, '');
  await writeFile(path, markOf(lastEvent, await stat(path)));
}
