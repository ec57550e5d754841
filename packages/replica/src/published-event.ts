/** An event as the stream publishes it: a CloudEvent with the attributes of the server. */
export interface PublishedEvent {
  id: string;
  type: string;
  /** The stream: `issue-<projectId>-<iid>`. */
  subject: string;
  /** ISO 8601, in UTC. */
  time: string;
  position: string;
  schemaversion: number;
  actorid?: number;
  requestid?: string;
  causationid?: string;
  data: Fields;
}

// biome-ignore lint/suspicious/noExplicitAny: the published schema says the type of each field.
export type Fields = Readonly<Record<string, any>>;
