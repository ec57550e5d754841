import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import type { Registers } from '../registers.ts';

/** What every adapter of the registers must do. `open` may give one of a server that others use too. */
export function describeRegisters(name: string, open: () => Promise<Registers>): void {
  describe(`registers: ${name}`, () => {
    const opened: Registers[] = [];
    const fresh = async () => {
      const registers = await open();
      opened.push(registers);
      return { registers, name: randomUUID() };
    };
    afterEach(async () => {
      for (const registers of opened.splice(0)) await registers.close();
    });

    test('gives back what was written last', async () => {
      const { registers, name } = await fresh();
      expect(await registers.read(name)).toBeUndefined();
      expect(await registers.write(name, 0, 'one')).toBe(true);
      expect(await registers.read(name)).toEqual({ version: 1, value: 'one' });
      expect(await registers.write(name, 1, 'two')).toBe(true);
      expect(await registers.read(name)).toEqual({ version: 2, value: 'two' });
    });

    test('refuses a write at another version and keeps what is there', async () => {
      const { registers, name } = await fresh();
      expect(await registers.write(name, 1, 'early')).toBe(false);
      expect(await registers.read(name)).toBeUndefined();
      await registers.write(name, 0, 'one');
      for (const version of [0, 2, 7]) expect(await registers.write(name, version, 'late')).toBe(false);
      expect(await registers.read(name)).toEqual({ version: 1, value: 'one' });
    });

    test('of writers at once one wins, each time', async () => {
      const { registers, name } = await fresh();
      for (let version = 0; version < 5; version += 1) {
        const writers = ['a', 'b', 'c', 'd'];
        const won = await Promise.all(writers.map((writer) => registers.write(name, version, writer)));
        expect(won.filter(Boolean)).toHaveLength(1);
        expect(await registers.read(name)).toEqual({
          version: version + 1,
          value: writers[won.indexOf(true)],
        });
      }
    });
  });
}
