/** What an agent said of itself when it called last. */
export interface RunnerContact {
  contactedAt: string;
  ipAddress: string | null;
  name: string | null;
  version: string | null;
  revision: string | null;
  platform: string | null;
  architecture: string | null;
}

export type RunnerInfo = Partial<
  Record<'name' | 'version' | 'revision' | 'platform' | 'architecture', string | undefined>
>;

export type RunnerStatus = 'online' | 'offline' | 'not_connected' | 'paused';

/** As upstream. */
const ONLINE_MS = 2 * 3_600_000;

export type RunnerContacts = ReturnType<typeof createRunnerContacts>;

/** Contacts of this process: each agent calls every few seconds, too often for an event and for a document. */
export function createRunnerContacts(clock: () => Date) {
  const contacts = new Map<number, RunnerContact>();
  const isOnline = (contact: RunnerContact | undefined) =>
    contact !== undefined && clock().getTime() - Date.parse(contact.contactedAt) < ONLINE_MS;

  return {
    /** An agent that says nothing of itself keeps what it said before. */
    contacted(id: number, ipAddress: string | null, info: RunnerInfo | undefined): void {
      const before = contacts.get(id);
      const said = (name: keyof RunnerInfo) => info?.[name] ?? before?.[name] ?? null;
      contacts.set(id, {
        contactedAt: clock().toISOString(),
        ipAddress,
        name: said('name'),
        version: said('version'),
        revision: said('revision'),
        platform: said('platform'),
        architecture: said('architecture'),
      });
    },
    forget: (id: number) => contacts.delete(id),
    of: (id: number) => contacts.get(id) ?? null,
    statusOf({ id, active }: { id: number; active: boolean }): RunnerStatus {
      if (!active) return 'paused';
      const contact = contacts.get(id);
      if (!contact) return 'not_connected';
      return isOnline(contact) ? 'online' : 'offline';
    },
    /** Ids of all that called, or of those that called lately. */
    ids: (which: 'all' | 'online'): number[] =>
      [...contacts].filter(([, contact]) => which === 'all' || isOnline(contact)).map(([id]) => id),
  };
}
