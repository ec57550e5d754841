/** Port: small values that several processes change by compare-and-set. Contract: `testing/registers.contract.ts`. */
export interface Registers {
  read(name: string): Promise<Register | undefined>;
  /** Writes and increments if the version still matches (0: new). Returns false if another writer won. */
  write(name: string, version: number, value: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface Register {
  version: number;
  value: string;
}
