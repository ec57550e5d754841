/** A problem that a retry does not solve; its message says what to do. */
export class Refusal extends Error {}
