/** Media types of images that browsers show and never run. SVG is none of them: it can hold scripts. */
export const RASTER_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp'] as const;
