import { type ExpiringStream, positionOf, type StreamEpoch } from './expiring-stream.ts';
import { FIRST, type KnownIdentity, LogIdentity, nameOfEpoch } from './log-identity.ts';

/** The log's identity, with epochs of the stream's own (ADR 66). Ask before an append, or it is of the epoch before. */
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
