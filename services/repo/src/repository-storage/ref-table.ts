/** An immutable table of a repository's refs. A copy shares all but one bucket, so replaying a long log stays cheap. */
export class RefTable {
  static readonly EMPTY = new RefTable([]);
  readonly #buckets: readonly (ReadonlyMap<string, string> | undefined)[];

  private constructor(buckets: readonly (ReadonlyMap<string, string> | undefined)[]) {
    this.#buckets = buckets;
  }

  get(ref: string): string | undefined {
    return this.#buckets[bucketOf(ref)]?.get(ref);
  }

  /** @param oid undefined removes the ref */
  with(ref: string, oid: string | undefined): RefTable {
    const at = bucketOf(ref);
    const bucket = new Map(this.#buckets[at]);
    if (oid === undefined) bucket.delete(ref);
    else bucket.set(ref, oid);
    const buckets = Array.from({ length: BUCKETS }, (_, index) => this.#buckets[index]);
    buckets[at] = bucket;
    return new RefTable(buckets);
  }

  toMap(): Map<string, string> {
    return new Map(this.#buckets.flatMap((bucket) => [...(bucket ?? [])]));
  }
}

const BUCKETS = 256;

function bucketOf(ref: string): number {
  let hash = 0;
  for (let at = 0; at < ref.length; at++) hash = (Math.imul(hash, 31) + ref.charCodeAt(at)) | 0;
  return (hash >>> 0) % BUCKETS;
}
