import type { AnyEndpoint, ParamsOf } from '@forgelog/contracts/endpoint.ts';
import { Rejection } from '@forgelog/contracts/errors.ts';
import type { RawRecord } from '@forgelog/contracts/params.ts';
import type { EventMetadata } from '@forgelog/eventing/event.ts';
import type { GroupGrant, ProjectGrant } from './access.ts';
import type { Message } from './content-encoding.ts';
import type { PageRequest } from './pagination.ts';
import { metadataOf, type Origin, type Principal } from './principal.ts';

export class ApiRequest<E extends AnyEndpoint = AnyEndpoint> {
  readonly endpoint: E;
  readonly params: ParamsOf<E>;
  /** All that came in path, query and body, understood or not. */
  readonly given: RawRecord;
  readonly principal: Principal | null;
  readonly origin: Origin;
  readonly page: PageRequest;
  /** Read already, unless the endpoint has `bodyTypes`. */
  readonly body: Message;
  readonly #signal: () => AbortSignal;
  readonly #project: ProjectGrant | undefined;
  readonly #group: GroupGrant | undefined;

  constructor(parts: {
    endpoint: E;
    params: ParamsOf<E>;
    given: RawRecord;
    principal: Principal | null;
    origin: Origin;
    page: PageRequest;
    signal: () => AbortSignal;
    body: Message;
    project?: ProjectGrant;
    group?: GroupGrant;
  }) {
    this.endpoint = parts.endpoint;
    this.params = parts.params;
    this.given = parts.given;
    this.principal = parts.principal;
    this.origin = parts.origin;
    this.page = parts.page;
    this.#signal = parts.signal;
    this.body = parts.body;
    this.#project = parts.project;
    this.#group = parts.group;
  }

  get headers(): Message['headers'] {
    return this.body.headers;
  }

  /** Aborts when the client disconnects. */
  get signal(): AbortSignal {
    return this.#signal();
  }

  /** The signed-in caller. @throws 401 where there is none */
  get caller(): Principal {
    if (this.principal === null) throw new Rejection('unauthorized');
    return this.principal;
  }

  get project(): ProjectGrant {
    if (this.#project === undefined) throw new Error(`${this.endpoint.id} has no project in its access rule`);
    return this.#project;
  }

  get group(): GroupGrant {
    if (this.#group === undefined) throw new Error(`${this.endpoint.id} has no group in its access rule`);
    return this.#group;
  }

  get metadata(): EventMetadata {
    return metadataOf(this.principal, this.origin);
  }
}
