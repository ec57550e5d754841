/**
 * Port: a few small values that several processes change in turn, each by compare and set. Adapters:
 * `adapters/memory`, `adapters/mongodb`; their common contract is `testing/registers.contract.ts`.
 */
export interface Registers {
  read(name: string): Promise<Register | undefined>;
  /**
   * Writes where the register still has this version (0: where there is none yet), and raises it by one.
   * False where somebody else was faster; nothing is written then.
   */
  write(name: string, version: number, value: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface Register {
  /** 1, 2, …: one more with each write. */
  version: number;
  value: string;
}
