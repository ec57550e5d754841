const RELATIVE = /(^|[^\w./-])\/uploads\/([0-9a-f]{32}\/)/gm;

/** A text of a project for another one: what it says of files of its project names that by its id, which never changes. */
export const withUploadsOf = (projectId: number, text: string): string =>
  text.replace(RELATIVE, `$1/-/project/${projectId}/uploads/$2`);
