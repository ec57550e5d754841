import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type TextTemplateKind = 'dockerfiles' | 'gitignores' | 'gitlab_ci_ymls';

export interface TextTemplate {
  name: string;
  content: string;
}

const folder = join(import.meta.dirname, 'texts');
const kept = new Map<TextTemplateKind, Promise<readonly TextTemplate[]>>();

/** The templates of a kind by name. They are part of the program, and read when they are first asked for. */
export function textTemplates(kind: TextTemplateKind): Promise<readonly TextTemplate[]> {
  const known = kept.get(kind) ?? read(kind);
  kept.set(kind, known);
  known.catch(() => kept.delete(kind));
  return known;
}

async function read(kind: TextTemplateKind): Promise<readonly TextTemplate[]> {
  const files = (await readdir(join(folder, kind))).filter((file) => file.endsWith('.txt'));
  const templates = files.map(async (file) => ({
    name: file.slice(0, -'.txt'.length),
    content: await readFile(join(folder, kind, file), 'utf8'),
  }));
  return (await Promise.all(templates)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
