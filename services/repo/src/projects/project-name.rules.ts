const NAME = /^[\p{L}\p{M}\p{Nd}\u{a9}-\u{1f9ff}_][\p{L}\p{M}\p{Nd}\p{Pd}\u{a9}-\u{1f9ff}_. ]*$/u;
const PATH = /^[a-zA-Z0-9_.][a-zA-Z0-9_.-]*$/;

const NAME_MESSAGE =
  "can contain only letters, digits, emojis, '_', '.', dash, space. It must start with letter, digit, emoji or '_'.";
const PATH_MESSAGE =
  "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-', end in '.git' or end in '.atom'";

/** Words with another meaning below a project's path. */
const RESERVED = new Set([
  '-',
  'badges',
  'blame',
  'blob',
  'builds',
  'commits',
  'create',
  'create_dir',
  'edit',
  'files',
  'find_file',
  'new',
  'preview',
  'raw',
  'refs',
  'tree',
  'update',
  'wikis',
]);

const MAX_LENGTH = 255;
const MAX_DESCRIPTION = 2000;

export function nameProblems(name: string): string[] {
  if (name.trim() === '') return ["can't be blank"];
  const problems: string[] = [];
  if (name.length > MAX_LENGTH) problems.push(`is too long (maximum is ${MAX_LENGTH} characters)`);
  if (!NAME.test(name)) problems.push(NAME_MESSAGE);
  return problems;
}

export function pathProblems(path: string): string[] {
  if (path === '') return ["can't be blank"];
  const problems: string[] = [];
  if (path.length > MAX_LENGTH) problems.push(`is too long (maximum is ${MAX_LENGTH} characters)`);
  if (!PATH.test(path) || /\.(git|atom)$/i.test(path) || path === '.' || path === '..')
    problems.push(PATH_MESSAGE);
  else if (RESERVED.has(path.toLowerCase())) problems.push(`${path} is a reserved name`);
  return problems;
}

export function descriptionProblems(description: string | null): string[] {
  return description !== null && description.length > MAX_DESCRIPTION
    ? [`is too long (maximum is ${MAX_DESCRIPTION} characters)`]
    : [];
}

/** Derives a path from a name: its letters and digits in ASCII, the rest as single dashes. */
export function pathOfName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .replace(/\.(git|atom)$/, '');
}
