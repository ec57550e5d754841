import { described, file, nullable } from '../params.ts';

/** The parameter of whatever has an avatar. */
export const avatar = described(nullable(file()), 'Raster image of at most 200 KiB; empty removes it');
