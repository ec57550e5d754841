import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProjectorStatus } from '@forgelog/eventing/projection.ts';
import type { Progress } from '@forgelog/eventing/projector.ts';
import { answerUnlessRead } from './allowed-methods.ts';
import type { DiskState } from './disk-room.ts';

/** `starting` and `stopping` are not ready. A halted projection or a full disk is reported, while the rest continues. */
export interface HealthPorts {
  phase(): 'starting' | 'ready' | 'stopping';
  projections(): readonly ProjectorStatus[];
  /** How far a start is with the log; null where it does not read it yet. */
  progress(): Progress | null;
  disk(): DiskState;
  /** Why the process is not ready although it runs, in sentences. */
  problems?: (() => readonly string[]) | undefined;
}

const PROBES = new Set(['/-/health', '/-/liveness', '/-/readiness']);

export function serveHealth(ports: HealthPorts) {
  return (request: IncomingMessage, response: ServerResponse, path: string): boolean => {
    if (!PROBES.has(path)) return false;
    if (answerUnlessRead(request, response)) return true;
    if (path === '/-/health' || path === '/-/liveness') {
      send(response, 200, path === '/-/health' ? 'Forgelog OK' : { status: 'ok' });
      return true;
    }
    const mismatches = ports.problems?.() ?? [];
    if (mismatches.length > 0) {
      send(response, 503, { status: 'mismatch', problems: mismatches });
      return true;
    }
    const phase = ports.phase();
    if (phase !== 'ready') {
      const progress = phase === 'starting' ? ports.progress() : null;
      send(response, 503, { status: phase, ...(progress && { log: progress }) });
      return true;
    }
    const halted = ports
      .projections()
      .filter((status) => status.halted !== null)
      .map(({ projection, halted }) => ({ projection, position: halted!.position }));
    const { isFull, freeBytes, sizeBytes } = ports.disk();
    const problems = {
      ...(halted.length > 0 && { halted }),
      ...(isFull && {
        disk: { problem: 'the disk of DATA_DIR is full: writes are refused', freeBytes, sizeBytes },
      }),
    };
    const status = Object.keys(problems).length === 0 ? 'ok' : 'degraded';
    send(response, 200, { status, ...problems });
    return true;
  };
}

function send(response: ServerResponse, status: number, body: object | string): void {
  const isText = typeof body === 'string';
  response.writeHead(status, {
    'Content-Type': isText ? 'text/plain' : 'application/json',
    'Cache-Control': 'no-store',
  });
  response.end(isText ? body : JSON.stringify(body));
}
