/** A number of bytes that callers share, with a limit for each of them. */
export class Shares {
  readonly #ofAll: number;
  readonly #ofOne: number;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor({ ofAll, ofOne }: { ofAll: number; ofOne: number }) {
    this.#ofAll = ofAll;
    this.#ofOne = ofOne;
  }

  get total(): number {
    return this.#total;
  }

  /** Returns false, and takes nothing, where the caller's share or the whole is used up. */
  take(caller: string, bytes: number): boolean {
    const taken = (this.#taken.get(caller) ?? 0) + bytes;
    if (taken > this.#ofOne || this.#total + bytes > this.#ofAll) return false;
    this.#taken.set(caller, taken);
    this.#total += bytes;
    return true;
  }

  give(caller: string, bytes: number): void {
    const left = (this.#taken.get(caller) ?? 0) - bytes;
    if (left > 0) this.#taken.set(caller, left);
    else this.#taken.delete(caller);
    this.#total -= bytes;
  }
}
