import { unpackDebianProgram } from './debian-program.ts';
import { buildGoProgram } from './go-program.ts';
import { orWithout } from './optional.ts';

/* Debian's packages come first: Go compiles each program for minutes. */

export const preparePromtool = (signal?: AbortSignal): Promise<string | null> =>
  orWithout(
    'promtool',
    () =>
      unpackDebianProgram('promtool', {
        ...{ of: 'prometheus', path: 'usr/bin/promtool', version: '--version', signal },
      }),
    () =>
      buildGoProgram('promtool', {
        sources: [],
        program: 'github.com/prometheus/prometheus/cmd/promtool',
        tags: 'remove_all_sd',
        signal,
      }),
  );

export const prepareCaddy = (signal?: AbortSignal): Promise<string | null> =>
  orWithout(
    'Caddy',
    () => unpackDebianProgram('caddy', { of: 'caddy', path: 'usr/bin/caddy', version: 'version', signal }),
    () => buildGoProgram('caddy', { signal }),
  );

export const prepareNginx = (signal?: AbortSignal): Promise<string | null> =>
  orWithout('nginx', () =>
    unpackDebianProgram('nginx', { of: 'nginx', path: 'usr/sbin/nginx', version: '-v', signal }),
  );
