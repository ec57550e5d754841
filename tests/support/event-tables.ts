/*
 * A consumer as docs/feed.md describes one: it knows the published events and the AsyncAPI document, and nothing of the
 * server. It must not import anything of it.
 */

type Fields = Record<string, unknown>;

interface Begins {
  kind: string;
  id: string[];
  fields: Record<string, string>;
  fixed: Fields;
}
interface Changes {
  kind: string;
  id: string[];
}
interface Ends {
  kind: string;
  match: Record<string, string>;
  ofRecord: Fields;
  ofEvent: Fields;
}
interface Message {
  name: string;
  'x-begins'?: Begins[];
  'x-changes'?: Changes[];
  'x-ends'?: Ends[];
}
interface Rights {
  inheritance: { least: number };
  groupSharing: { kind: string; least: number };
  sharing: { kind: string; least: number };
  ownership: { level: number; listedAs: number };
  administrator: { level: number };
  markedForDeletion: { field: string; least: number };
}
export interface AsyncApi {
  info: { 'x-rights': Rights };
  components: { messages: Record<string, Message> };
}
export interface PublishedEvent {
  type: string;
  position: string;
  data: Fields;
}

const has = (fields: Fields, wanted: Fields) =>
  Object.entries(wanted).every(([name, value]) => fields[name] === value);

/** Tables of all records, kept by the rules that the document publishes. */
export class EventTables {
  position = '';
  readonly #messages: Record<string, Message>;
  readonly #rights: Rights;
  readonly #tables = new Map<string, Map<string, Fields>>();
  /** Rules that an event has applied, so that what begins late ends at once. */
  readonly #over = new Set<string>();
  /** Kind → types of the events that end one record of it, which its id names. */
  readonly #ownEnds = new Map<string, string[]>();

  constructor({ info, components }: AsyncApi) {
    this.#messages = components.messages;
    this.#rights = info['x-rights'];
    const ids = new Map<string, string[]>();
    for (const message of Object.values(this.#messages))
      for (const { kind, id } of message['x-begins'] ?? []) ids.set(kind, id);
    for (const [type, message] of Object.entries(this.#messages))
      for (const { kind, match, ofEvent } of message['x-ends'] ?? [])
        if (Object.keys(ofEvent).length === 0 && ids.get(kind)!.every((field) => match[field]))
          this.#ownEnds.set(kind, [...(this.#ownEnds.get(kind) ?? []), type]);
  }

  apply({ type, position, data }: PublishedEvent): void {
    if (position <= this.position) return;
    this.position = position;
    const message = this.#messages[type];
    if (!message) throw new Error(`the document has no ${type}`);
    for (const rule of message['x-begins'] ?? []) this.#begin(rule, data);
    for (const { kind, id } of message['x-changes'] ?? []) this.#change(this.find(kind, id, data), data);
    for (const rule of message['x-ends'] ?? []) this.#end(type, rule, data);
  }

  all(kind: string): Fields[] {
    return [...(this.#tables.get(kind)?.values() ?? [])];
  }

  find(kind: string, id: readonly string[], of: Fields): Fields | undefined {
    return this.#tables.get(kind)?.get(id.map((field) => of[field]).join(' '));
  }

  #begin({ kind, id, fields, fixed }: Begins, data: Fields): void {
    const renamed = Object.entries(fields).map(([own, other]) => [own, data[other]]);
    const record = { ...data, ...Object.fromEntries(renamed), ...fixed };
    if (id.some((field) => record[field] === null || record[field] === undefined)) return;
    const isOver = Object.entries(this.#messages).some(([type, message]) =>
      (message['x-ends'] ?? []).some(
        (rule) => rule.kind === kind && this.#over.has(this.#ruleKey(type, rule, record, true)),
      ),
    );
    const table = this.#tables.get(kind) ?? new Map<string, Fields>();
    this.#tables.set(kind, table);
    if (!isOver) table.set(id.map((field) => record[field]).join(' '), record);
  }

  #change(record: Fields | undefined, { changes }: Fields): void {
    if (!record) return;
    for (const [name, value] of Object.entries(changes as Fields))
      record[name] =
        name === 'settings' || name === 'profile'
          ? { ...(record[name] as Fields), ...(value as Fields) }
          : value;
  }

  #end(type: string, rule: Ends, data: Fields): void {
    if (!has(data, rule.ofEvent)) return;
    const { kind, match, ofRecord } = rule;
    const wanted = Object.fromEntries(Object.entries(match).map(([own, other]) => [own, data[other]]));
    // Ids are never used again, but memberships and refs may come back.
    if (Object.keys(rule.match).length === 1) this.#over.add(this.#ruleKey(type, rule, data, false));
    for (const [key, record] of this.#tables.get(kind) ?? []) {
      if (!has(record, { ...wanted, ...ofRecord })) continue;
      this.#tables.get(kind)!.delete(key);
      for (const own of this.#ownEnds.get(kind) ?? [])
        for (const next of this.#messages[own]!['x-ends']!)
          if (next.kind !== kind || Object.keys(next.match).some((field) => field !== next.match[field]))
            this.#end(own, next, record);
    }
  }

  #ruleKey(type: string, { kind, match, ofRecord }: Ends, of: Fields, isRecord: boolean): string {
    const values = Object.entries(match).map(([own, other]) => of[isRecord ? own : other]);
    return JSON.stringify([type, kind, ofRecord, values]);
  }

  /** Groups from the place itself upwards. */
  #above(groupId: unknown): Fields[] {
    const group = this.find('Group', ['groupId'], { groupId });
    return group ? [group, ...(group.parentId === null ? [] : this.#above(group.parentId))] : [];
  }

  /** User id → level in a list of all members. */
  groupMembers(groupId: number, today: string): Map<number, number> {
    const levels = this.#ownMembers(groupId, today);
    const { kind, least } = this.#rights.groupSharing;
    for (const group of this.#above(groupId))
      for (const share of this.all(kind)) {
        if (share.groupId !== group.groupId) continue;
        const { accessLevel, expiresAt } = share as Fields & { accessLevel: number };
        for (const [userId, level] of this.#ownMembers(share.sharedWithGroupId as number, today))
          if (level >= least)
            this.#count(
              { userId, accessLevel: Math.min(level, accessLevel), expiresAt },
              today,
              levels,
              false,
            );
      }
    return levels;
  }

  /** Members of the group and of those above it. */
  #ownMembers(groupId: number, today: string): Map<number, number> {
    const levels = new Map<number, number>();
    this.#above(groupId).forEach((group, distance) => {
      for (const member of this.all('GroupMembership'))
        if (member.groupId === group.groupId) this.#count(member, today, levels, distance > 0);
    });
    return levels;
  }

  projectMembers(projectId: number, today: string): Map<number, number> {
    const project = this.find('Project', ['projectId'], { projectId })!;
    const inherited = this.groupMembers(project.namespaceId as number, today);
    const { least } = this.#rights.inheritance;
    const levels = new Map([...inherited].filter(([, level]) => level >= least));
    for (const member of this.all('ProjectMembership'))
      if (member.projectId === projectId) this.#count(member, today, levels, false);
    const { kind, least: leastShared } = this.#rights.sharing;
    for (const share of this.all(kind)) {
      const { groupId, accessLevel, expiresAt } = share as Fields & { groupId: number; accessLevel: number };
      if (share.projectId !== projectId) continue;
      for (const [userId, level] of this.groupMembers(groupId, today))
        if (level >= leastShared)
          this.#count({ userId, accessLevel: Math.min(level, accessLevel), expiresAt }, today, levels, false);
    }
    for (const owner of this.all('ProjectOwnership'))
      if (owner.projectId === projectId) levels.set(owner.userId as number, this.#rights.ownership.listedAs);
    return levels;
  }

  #isMarked(projectId: number): boolean {
    const project = this.find('Project', ['projectId'], { projectId })!;
    const { field } = this.#rights.markedForDeletion;
    return [project, ...this.#above(project.namespaceId)].some((place) => (place[field] ?? null) !== null);
  }

  #owns(projectId: number, userId: number, today: string): boolean {
    const { least } = this.#rights.markedForDeletion;
    const isOf = (one: Fields) => one.projectId === projectId && one.userId === userId;
    if (this.all('ProjectOwnership').some(isOf)) return this.#rights.ownership.level >= least;
    return (this.projectMembers(projectId, today).get(userId) ?? 0) >= least;
  }

  #count(member: Fields, today: string, levels: Map<number, number>, isInherited: boolean): void {
    const { userId, accessLevel, expiresAt } = member as {
      userId: number;
      accessLevel: number;
      expiresAt: string | null;
    };
    if (expiresAt !== null && expiresAt <= today) return;
    if (isInherited && accessLevel < this.#rights.inheritance.least) return;
    levels.set(userId, Math.max(levels.get(userId) ?? 0, accessLevel));
  }

  /** Ids of the projects that a user sees. */
  visibleProjects(userId: number, today: string): number[] {
    const user = this.find('User', ['userId'], { userId })!;
    return this.all('Project')
      .filter(
        ({ projectId, visibility }) =>
          user.admin ||
          (this.#isMarked(projectId as number)
            ? this.#owns(projectId as number, userId, today)
            : visibility === 'public' ||
              (visibility === 'internal' && !user.external) ||
              this.projectMembers(projectId as number, today).has(userId)),
      )
      .map(({ projectId }) => projectId as number);
  }
}
