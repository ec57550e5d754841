import { type ExpiringStream, positionOf, type StreamEpoch } from './expiring-stream.ts';
import { FIRST, type KnownIdentity, LogIdentity, nameOfEpoch } from './log-identity.ts';

/**
 * The identity of a stream beside the log: that of the log, with epochs of its own (ADR 66). One begins where the stream is
 * new or empty, and where the log was restored: then the stream may have lost what readers know, and uses its revisions
 * again. Ask for it before the first append, because what is appended earlier is of the epoch before.
 */
export function identityBeside(log: KnownIdentity, stream: ExpiringStream, clock: () => Date): KnownIdentity {
  let known: { identity: LogIdentity; ofLog: string } | undefined;
  const current = async () => {
    const { id, epoch: ofLog } = await log.current();
    if (known?.ofLog !== ofLog) {
      const epochs = await epochsIn(stream, ofLog, clock);
      const begun = epochs.map(({ name, after }) => ({ name, after: positionOf(after) }));
      known = { identity: new LogIdentity(id, begun), ofLog };
    }
    return known.identity;
  };
  return { current, forBatch: current };
}

/** The epochs of a stream, of which the last one began in this epoch of the log. */
async function epochsIn(
  stream: ExpiringStream,
  ofLog: string,
  clock: () => Date,
): Promise<readonly StreamEpoch[]> {
  const epochs = await stream.epochs();
  const after = await stream.last();
  const newest = epochs.at(-1);
  // Streams from before there were epochs go on in the first one.
  if ((newest?.ofLog ?? FIRST.name) === ofLog && (newest || after >= 0)) return epochs;
  const name = nameOfEpoch(clock(), newest?.name ?? FIRST.name);
  await stream.beginEpoch(epochs.length, { name, after, ofLog });
  return stream.epochs();
}
