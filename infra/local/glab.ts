import { buildGoProgram } from './go-program.ts';
import { orWithout } from './optional.ts';

/** Builds glab and the 50 modules that it needs. Returns its executable. */
export const buildGlab = (signal?: AbortSignal): Promise<string | null> =>
  orWithout('glab', () =>
    buildGoProgram('glab', { sources: [], program: 'github.com/profclems/glab/cmd/glab', signal }),
  );
