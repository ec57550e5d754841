import type { Tier } from '@forgelog/contracts/endpoint.ts';
import type { z } from 'zod';
import { JsonTemplate } from './json-template.ts';
import { type Code, codeOf, columnsOf, type Instance, type Writer, writeList } from './view-code.ts';
import { compile } from './view-compiler.ts';
import type { Members } from './view-types.ts';

/**
 * How a row becomes the JSON of a contract's view. The members stand in the order in which they are sent, and are
 * checked against the contract's schema when compiling: one that is missing, misspelt or of another type is an error.
 */
export interface View<Row, Request, Out> {
  readonly members: Members<Row, Request, Out>;
  /** The columns that the members read: what a query has to select. */
  readonly columns: readonly (keyof Row & string)[];
  /** The view as an instance shows it, compiled when it is asked for first. */
  renderer(ports: RendererPorts): Renderer<Row, Request>;
  code(instance: Instance): Code;
}

interface RendererPorts {
  configuration: { EDITION: Tier };
  /** The external address of the instance as JSON text holds it, without a slash at the end. */
  host: string;
}

/**
 * `implementView(issueView).from<IssueDocument>({ id: 'id', project_id: 'projectId', upvotes: 0, author: user('authorId') })`
 *
 * A text is always the name of a column; one that is meant as itself is a `constant('project')`.
 */
export function implementView<S extends z.ZodObject>(_schema: S) {
  return {
    /** `Request`: what the members depend on besides the row. */
    from<Row, Request = unknown>(
      members: Members<Row, Request, z.output<S>>,
    ): View<Row, Request, z.output<S>> {
      const code = (instance: Instance) => codeOf(members, instance);
      const columns = [...new Set(columnsOf(members))] as (keyof Row & string)[];
      const renderers = new Map<string, Renderer<Row, Request>>();
      return {
        members,
        columns,
        code,
        renderer({ configuration, host }) {
          const key = `${configuration.EDITION} ${host}`;
          const known = renderers.get(key);
          if (known) return known;
          const write = compile(code({ edition: configuration.EDITION, host }));
          const made = new Renderer<Row, Request>(columns, write);
          renderers.set(key, made);
          return made;
        },
      };
    },
  };
}

/** A compiled view. */
export class Renderer<Row, Request = unknown> {
  readonly columns: readonly (keyof Row & string)[];
  readonly #write: Writer;

  constructor(columns: readonly (keyof Row & string)[], write: Writer) {
    this.columns = columns;
    this.#write = write;
  }

  one(row: Row, ...[request]: RequestArgument<Request>): JsonTemplate {
    const out = new JsonTemplate();
    this.#write(out, row, request);
    return out;
  }

  list(rows: readonly Row[], ...[request]: RequestArgument<Request>): JsonTemplate {
    const out = new JsonTemplate();
    writeList(this.#write, out, rows, request);
    return out;
  }
}

/** A request need not be given to a view whose members depend on none. */
export type RequestArgument<Request> = unknown extends Request ? [] : [request: Request];
