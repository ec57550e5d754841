/** Where the machinery reports; a pino logger is one. */
export interface Log {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
