import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import type { Registers } from '../registers.ts';

/** The contract that every registers adapter runs. `open` may return registers on a shared server. */
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

    test('returns the value written last', async () => {
      const { registers, name } = await fresh();
      expect(await registers.read(name)).toBeUndefined();
      expect(await registers.write(name, 0, 'one')).toBe(true);
      expect(await registers.read(name)).toEqual({ version: 1, value: 'one' });
      expect(await registers.write(name, 1, 'two')).toBe(true);
      expect(await registers.read(name)).toEqual({ version: 2, value: 'two' });
    });

    test('rejects a write at another version and keeps the value', async () => {
      const { registers, name } = await fresh();
      expect(await registers.write(name, 1, 'early')).toBe(false);
      expect(await registers.read(name)).toBeUndefined();
      await registers.write(name, 0, 'one');
      for (const version of [0, 2, 7]) expect(await registers.write(name, version, 'late')).toBe(false);
      expect(await registers.read(name)).toEqual({ version: 1, value: 'one' });
    });

    test('lets exactly one of several concurrent writers win', async () => {
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
