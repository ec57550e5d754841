import type { Register, Registers } from '../../registers.ts';

export function openMemoryRegisters(): Registers {
  const registers = new Map<string, Register>();
  return {
    async read(name) {
      const register = registers.get(name);
      return register && { ...register };
    },
    async write(name, version, value) {
      if ((registers.get(name)?.version ?? 0) !== version) return false;
      registers.set(name, { version: version + 1, value });
      return true;
    },
    async close() {},
  };
}
