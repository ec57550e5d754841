import { Rejection } from '@forgelog/contracts/errors.ts';
import { CONTRACT_VERSION, currentContract } from '@forgelog/contracts/released/current.ts';
import { downcastTo, unservable } from '@forgelog/contracts/released/downcast.ts';
import { type Release, releases } from '@forgelog/contracts/released/releases.ts';
import { pruned } from '@forgelog/contracts/released/shape.ts';
import type { CloudEvent } from '@forgelog/eventing/cloud-event.ts';
import type { RecordedEvent } from '@forgelog/eventing/event.ts';
import type { EventCatalogue } from '@forgelog/eventing/event-catalogue.ts';
import type { Reach } from './reach.ts';

const LONGEST_SHOWN = 20;

/**
 * The reach of a consumer that knows this version of the contract, by default the newest.
 * @throws Rejection 400 for a version that is unknown, or that this program cannot serve
 */
type AsContract = (version: string | undefined, reach: Reach) => Reach;

export function createContractVersions(catalogue: EventCatalogue): AsContract {
  // Comparing a release with the events of today takes milliseconds.
  const servedReleases = new Map<string, ServedRelease>();

  return (version, reach) => {
    if (version === undefined || version === CONTRACT_VERSION) return reach;
    const served = servedReleases.get(version) ?? serve(version, catalogue);
    servedReleases.set(version, served);
    return {
      holdsAt: (position) => reach.holdsAt(position),
      publish: (position, log) => reach.publish(position, log),
      read: (published, log, store) => reach.read(published, log, store),
      // What came later is left out.
      readable: async (events) => (await reach.readable(events)).filter(served.tells),
      frame(event, log) {
        const { id, json } = reach.frame(event, log);
        return { id, json: JSON.stringify(served.cast(JSON.parse(json))) };
      },
    };
  };
}

interface ServedRelease {
  /** Whether consumers of the release are told of an event. */
  tells: (event: RecordedEvent) => boolean;
  cast: (event: CloudEvent) => CloudEvent;
}

function serve(version: string, catalogue: EventCatalogue): ServedRelease {
  const release = releases().find((each) => each.version === version);
  if (!release) throw refused(version, `is no version of the contract, which are ${known()}`);
  const [reason] = unservable(release, currentContract(), catalogue.definitions);
  if (reason !== undefined)
    throw refused(version, `cannot be served any more (${reason}): read the newest, ${CONTRACT_VERSION}`);
  return casting(release, catalogue);
}

const known = () => [...new Set([...releases().map(({ version }) => version), CONTRACT_VERSION])].join(', ');

const refused = (version: string, why: string) =>
  new Rejection('invalid_parameters', {
    problems: [`contract ${JSON.stringify(version.slice(0, LONGEST_SHOWN))} ${why}`],
  });

function casting({ envelope, types }: Release, catalogue: EventCatalogue): ServedRelease {
  const casts = new Map(
    Object.entries(types).map(([type, released]) => [type, downcastTo(released, catalogue.get(type))]),
  );
  return {
    tells(event) {
      const cast = casts.get(event.type);
      if (!cast) return false;
      const { growing } = catalogue.get(event.type);
      return growing.length === 0 || cast(catalogue.read(event).data) !== undefined;
    },
    cast({ data, ...attributes }) {
      const { type } = attributes;
      const known = casts.get(type)!(data)!;
      const dataschema = catalogue.schemaAddress(type, known.version);
      const shown = pruned({ ...attributes, schemaversion: known.version, dataschema }, envelope);
      return { ...(shown as typeof attributes), data: known.data };
    },
  };
}
