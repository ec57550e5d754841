import type { Image, Port, Service } from '../configuration.ts';
import type { Location } from './location.ts';
import {
  attribute,
  filledText,
  integer,
  listOf,
  part,
  type Reader,
  readFields,
  text,
  textOrTexts,
  texts,
} from './reader.ts';
import { variables } from './variables.ts';

const PORTS = 65_535;

const port: Reader<Port> = (node, at) => {
  if (node.kind === 'scalar') {
    const number = integer(1, PORTS)(node, at);
    return number === undefined ? undefined : { number, protocol: 'http', name: 'default_port' };
  }
  if (node.kind !== 'map') return at.error(node, 'should be a port number or a hash');
  const read = readFields(node, at, {
    number: attribute(integer(1, PORTS)),
    protocol: attribute(text),
    name: attribute(text),
  });
  const { number, protocol = 'http', name = 'default_port' } = read;
  return number === undefined ? at.error(node, "number can't be blank") : { number, protocol, name };
};

const imageFields = {
  name: attribute(filledText),
  entrypoint: attribute(texts),
  ports: part(listOf(port)),
};

export const image: Reader<Image> = (node, at) => {
  if (node.kind === 'scalar' && typeof node.value === 'string') return named(filledText(node, at));
  if (node.kind !== 'map') return at.error(node, 'should be a hash or a string');
  const { name, entrypoint = null, ports = [] } = readFields(node, at, imageFields);
  if (!node.entries.has('name')) return at.error(node, 'should have a name');
  return name === undefined ? undefined : { name, entrypoint, ports };
};

const named = (name: string | undefined) =>
  name === undefined ? undefined : { name, entrypoint: null, ports: [] };

const service: Reader<Service> = (node, at) => {
  const simple = { alias: null, command: null, variables: new Map<string, string>() };
  if (node.kind === 'scalar' && typeof node.value === 'string') {
    const read = named(filledText(node, at));
    return read && { ...read, ...simple };
  }
  if (node.kind !== 'map') return at.error(node, 'should be a hash or a string');
  const read = readFields(node, at, {
    ...imageFields,
    alias: attribute(text),
    command: attribute(textOrTexts),
    variables: part(variables),
  });
  if (!node.entries.has('name')) return at.error(node, 'should have a name');
  if (read.name === undefined) return undefined;
  if (read.ports && read.ports.length > 1 && !read.alias)
    return at.error(node, 'alias is needed by a service with several ports');
  return {
    name: read.name,
    entrypoint: read.entrypoint ?? null,
    ports: read.ports ?? [],
    alias: read.alias ?? null,
    command: read.command ?? null,
    variables: read.variables ?? simple.variables,
  };
};

export const services: Reader<Service[]> = listOf((node, at: Location) => service(node, at.part('service')));
