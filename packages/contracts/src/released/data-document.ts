import { dataDocument } from '../asyncapi/event-schema.ts';
import { type EventDefinition, eventSchemaPath, isPublished } from '../event.ts';
import type { JsonSchema } from '../params.ts';
import { releases } from './releases.ts';

/** The schema of a type's data as a document: today's, or that of the last release with the version. */
export function dataDocumentOf(
  { type, version }: { type: string; version: number },
  definitions: readonly EventDefinition[],
  externalUrl: string,
): JsonSchema | undefined {
  const definition = definitions.find((each) => each.type === type);
  if (!definition || !isPublished(definition)) return undefined;
  const today = dataDocument(definition, externalUrl);
  if (version === definition.version) return today;
  const released = releases().findLast(({ types }) => types[type]?.version === version)?.types[type];
  if (!released) return undefined;
  const { $schema, title, description } = today;
  return {
    $schema,
    $id: `${externalUrl}${eventSchemaPath({ type, version })}`,
    title,
    description,
    ...released.shape,
  };
}
