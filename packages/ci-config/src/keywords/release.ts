import type { Release, ReleaseLink } from '../configuration.ts';
import {
  attribute,
  filledText,
  listOf,
  oneOf,
  part,
  type Reader,
  readFields,
  scalarText,
  text,
  textOrTexts,
} from './reader.ts';

const link: Reader<ReleaseLink> = (node, at) => {
  if (node.kind !== 'map') return at.error(node, 'should be a hash');
  const read = readFields(node, at, {
    name: attribute(filledText),
    url: attribute(filledText),
    filepath: attribute(text),
    link_type: attribute(oneOf(['other', 'runbook', 'image', 'package'])),
  });
  for (const key of ['name', 'url'] as const)
    if (!node.entries.has(key)) at.attribute(key).error(node, "can't be blank");
  const { name, url, filepath = null, link_type: linkType = null } = read;
  return name === undefined || url === undefined ? undefined : { name, url, filepath, linkType };
};

const assets: Reader<ReleaseLink[]> = (node, at) => {
  if (node.kind !== 'map') return at.error(node, 'should be a hash');
  const links: Reader<ReleaseLink[]> = listOf((item, within) => link(item, within.part('link')));
  return readFields(node, at, { links: part(links) }).links ?? [];
};

/** ISO 8601, or a text with variables. */
const time: Reader<string> = (node, at) => {
  const written = scalarText(node) ?? '';
  const isTime =
    written.includes('$') || (/^\d{4}-\d{2}-\d{2}/.test(written) && !Number.isNaN(Date.parse(written)));
  return isTime ? written : at.error(node, 'must be a valid datetime');
};

export const release: Reader<Release> = (node, at) => {
  if (node.kind !== 'map') return at.error(node, 'should be a hash');
  const read = readFields(node, at, {
    tag_name: attribute(filledText),
    tag_message: attribute(text),
    name: attribute(text),
    description: attribute(filledText),
    ref: attribute(text),
    released_at: attribute(time),
    milestones: attribute(textOrTexts),
    assets: part(assets),
  });
  for (const key of ['tag_name', 'description'])
    if (!node.entries.has(key)) at.attribute(key).error(node, "can't be blank");
  return {
    tagName: read.tag_name ?? '',
    tagMessage: read.tag_message ?? null,
    name: read.name ?? null,
    description: read.description ?? '',
    ref: read.ref ?? null,
    releasedAt: read.released_at ?? null,
    milestones: read.milestones ?? [],
    links: read.assets ?? [],
  };
};
