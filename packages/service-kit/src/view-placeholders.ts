import type { namespaceView } from '@forgelog/contracts/repo/projects/project.views.ts';
import type { userView } from '@forgelog/contracts/views.ts';
import type { z } from 'zod';
import type { JsonTemplate } from './json-template.ts';
import { part, stringPart } from './view-parts.ts';
import type { Part, StringPart } from './view-types.ts';

/* Parts of views that the owner of another stream fills in when the answer is sent. */

type Column<F extends string, T> = Record<F, T | null>;
type User = z.output<typeof userView>;

/** A value resolved by the id in a column; null where the column is null. */
export const placeholder =
  <T>(letter: string) =>
  <const F extends string>(column: F): Part<Column<F, number>, unknown, T> =>
    part({
      columns: [column],
      code: () => [{ column, put: (out, id) => writeId(out, letter, id) }],
    });

const placeholders =
  <T>(letter: string) =>
  <const F extends string>(column: F): Part<Column<F, readonly number[]>, unknown, T[]> =>
    part({
      columns: [column],
      code: () => [
        {
          column,
          put(out, ids: readonly number[]) {
            let between = '[';
            for (const id of ids) {
              out.text(between);
              between = ',';
              writeId(out, letter, id);
            }
            out.text(between === '[' ? '[]' : ']');
          },
        },
      ],
    });

function writeId(out: JsonTemplate, letter: string, id: number | null | undefined): void {
  if (id == null) out.text('null');
  else out.placeholder(`${letter}${id}`);
}

const placeholderText =
  (letter: string) =>
  <const F extends string>(column: F): StringPart<Column<F, number>, unknown> =>
    stringPart({
      columns: [column],
      code: () => [{ column, put: (out, id) => out.placeholder(`${letter}${id}`) }],
    });

/** The public view of a user: for the id in a column, for a list of ids, or for the first of a list. */
export const user = placeholder<User>('u');
export const users = placeholders<User>('u');
export const firstUser = <const F extends string>(
  column: F,
): Part<Column<F, readonly number[]>, unknown, User | null> =>
  part({ columns: [column], code: () => [{ column, put: (out, ids) => writeId(out, 'u', ids[0]) }] });

/** The namespace as records show it, null after its deletion. */
export const namespace = placeholder<z.output<typeof namespaceView> | null>('m');

/** Full path of a project or namespace, and their names including the parent namespaces. */
export const projectPath = placeholderText('p');
export const projectFullName = placeholderText('f');
export const namespacePath = placeholderText('n');
export const namespaceFullName = placeholderText('g');
