/** Parses the `Key: value` lines at the end of a message, by the rules of `git interpret-trailers`. */
export interface Trailer {
  key: string;
  value: string;
}

const GENERATED = ['Signed-off-by: ', '(cherry picked from commit '];
const TRAILER = /^([A-Za-z0-9-]+)[ \t]*:/;

/**
 * The last paragraph, unless it is the title, if all its lines are trailers. If git wrote one of them, a quarter is
 * enough. Continuation lines are unfolded.
 */
export function parseTrailers(message: string): Trailer[] {
  const lines = withoutPatch(message).trimEnd().split('\n');
  const start = lines.findLastIndex((line) => line.trim() === '') + 1;
  const titleEnd = lines.findIndex(
    (line, index) => line.trim() === '' && lines.slice(0, index).some((l) => l.trim() !== ''),
  );
  if (titleEnd < 0 || start <= titleEnd) return [];
  const block = lines.slice(start).filter((line) => !line.startsWith('#'));
  return isTrailerBlock(block) ? unfold(block) : [];
}

/** Cuts at a line of three dashes, after which git expects a patch. */
function withoutPatch(message: string): string {
  const at = message.search(/^---(?=\s|$)/m);
  return at < 0 ? message : message.slice(0, at);
}

function isTrailerBlock(block: string[]): boolean {
  let trailers = 0;
  let others = 0;
  let generated = false;
  let continuations = 0; // lines are read backwards, so the continued line comes later
  for (const line of block.toReversed()) {
    if (GENERATED.some((prefix) => line.startsWith(prefix))) {
      trailers += 1;
      continuations = 0;
      generated = true;
    } else if (TRAILER.test(line)) {
      trailers += 1;
      continuations = 0;
    } else if (/^\s/.test(line)) continuations += 1;
    else {
      others += 1 + continuations;
      continuations = 0;
    }
  }
  others += continuations;
  return generated ? trailers * 3 >= others : trailers > 0 && others === 0;
}

function unfold(block: string[]): Trailer[] {
  const trailers: Trailer[] = [];
  let open: Trailer | undefined;
  for (const line of block) {
    const key = TRAILER.exec(line)?.[1];
    if (key !== undefined) {
      open = { key, value: line.slice(line.indexOf(':') + 1).trim() };
      trailers.push(open);
    } else if (/^\s/.test(line) && open) open.value = `${open.value} ${line.trim()}`.trim();
    else open = undefined;
  }
  return trailers;
}
