/** Says what is wrong with a backup, or its folder, and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}
