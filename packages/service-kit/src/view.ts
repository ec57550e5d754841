import type { Tier } from '@forgelog/contracts/endpoint.ts';
import type { z } from 'zod';
import { JsonTemplate } from './json-template.ts';
import { type Code, codeOf, columnsOf, type Instance, type Writer, writeList } from './view-code.ts';
import { compile } from './view-compiler.ts';
import type { Members } from './view-types.ts';

/**
 * Renders a row as the JSON of a contract's view. Members are sent in their order. The compiler rejects one that is
 * missing, misspelt or of another type.
 */
export interface View<Row, Request, Out> {
  readonly members: Members<Row, Request, Out>;
  /** The columns that a query has to select. */
  readonly columns: readonly (keyof Row & string)[];
  /** Made for an instance when it is first asked for. */
  renderer(ports: RendererPorts): Renderer<Row, Request>;
  code(instance: Instance): Code;
}

interface RendererPorts {
  configuration: { EDITION: Tier };
  /** The external URL, escaped for JSON, without a trailing slash. */
  host: string;
}

/**
 * `implementView(issueView).from<IssueDocument>({ id: 'id', project_id: 'projectId', upvotes: 0, author: user('authorId') })`
 *
 * A text is always the name of a column; one that is meant as itself is a `constant('project')`.
 */
export function implementView<S extends z.ZodObject>(_schema: S) {
  return {
    /** @template Request what the members depend on besides the row */
    from<Row, Request = unknown>(
      members: Members<Row, Request, z.output<S>>,
    ): View<Row, Request, z.output<S>> {
      const code = (instance: Instance) => codeOf(members, instance);
      const columns = [...new Set(columnsOf(members))] as (keyof Row & string)[];
      let last: (Instance & { renderer: Renderer<Row, Request> }) | undefined;
      return {
        members,
        columns,
        code,
        // A process has one edition and one host, so the last renderer is nearly always the one.
        renderer({ configuration: { EDITION: edition }, host }) {
          if (last?.edition === edition && last.host === host) return last.renderer;
          const renderer = new Renderer<Row, Request>(columns, code({ edition, host }));
          last = { edition, host, renderer };
          return renderer;
        },
      };
    },
  };
}

export class Renderer<Row, Request = unknown> {
  readonly columns: readonly (keyof Row & string)[];
  readonly #code: Code;
  #compiled: Writer | undefined;

  constructor(columns: readonly (keyof Row & string)[], code: Code) {
    this.columns = columns;
    this.#code = code;
  }

  /** Compiled on first use: a start makes the renderers of all views, and most show nothing for a while. */
  get #write(): Writer {
    this.#compiled ??= compile(this.#code);
    return this.#compiled;
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

/** Optional for a view whose members ignore the request. */
export type RequestArgument<Request> = unknown extends Request ? [] : [request: Request];
