import { Rejection } from '@forgelog/contracts/errors.ts';
import type { TopicEvent } from '@forgelog/contracts/repo/topics/topic.events.ts';
import { changesFrom } from '@forgelog/eventing/changes.ts';
import type { Decider } from '@forgelog/eventing/decider.ts';
import { Map as PersistentMap } from 'immutable';

interface Topic {
  name: string;
  title: string;
  description: string | null;
  avatarUrl: string | null;
}

/** All topics by id. */
export type TopicsState = PersistentMap<number, Topic>;

export type TopicCommand =
  | ({ type: 'CreateTopic'; topicId: number } & Topic)
  /** Creates topics of those names that no topic has. There may be no room left for some. */
  | { type: 'EnsureTopics'; topics: readonly { topicId: number; name: string }[] }
  /** Undefined keeps the current value. */
  | {
      type: 'UpdateTopic';
      topicId: number;
      changes: { [Name in keyof Topic]?: Topic[Name] | undefined };
    }
  | { type: 'DeleteTopic'; topicId: number };

export const TOPICS_STREAM = 'topics-all';

const MOST = 20_000;
const BREAK = /[\n\r]/;

export function topicNamed(state: TopicsState, name: string): number | undefined {
  const wanted = name.toLowerCase();
  for (const [id, topic] of state) if (topic.name.toLowerCase() === wanted) return id;
  return undefined;
}

const invalid = (field: string, problem: string) =>
  new Rejection('validation_failed', { fields: { [field]: [problem] } });

export const topicDecider: Decider<TopicsState, TopicCommand, TopicEvent> = {
  initialState: PersistentMap(),

  decide(command, state) {
    if (command.type === 'EnsureTopics') {
      const missing = new Map<string, { topicId: number; name: string }>();
      for (const topic of command.topics) {
        const lower = topic.name.toLowerCase();
        const isKnown = missing.has(lower) || topicNamed(state, lower) !== undefined;
        if (!isKnown && !BREAK.test(lower)) missing.set(lower, topic);
      }
      return [...missing.values()].slice(0, Math.max(MOST - state.size, 0)).map(({ topicId, name }) => ({
        type: 'TopicCreated',
        data: { topicId, name, title: name, description: null, avatarUrl: null },
      }));
    }
    const { topicId } = command;
    const topic = state.get(topicId);
    if (command.type === 'CreateTopic') {
      if (topic) throw new Rejection('conflict', {});
      const { name, title, description, avatarUrl } = command;
      requireName(state, name);
      if (state.size >= MOST) throw invalid('base', `there may be ${MOST} topics at most`);
      return [{ type: 'TopicCreated', data: { topicId, name, title, description, avatarUrl } }];
    }
    if (!topic) throw new Rejection('record_not_found');
    switch (command.type) {
      case 'UpdateTopic': {
        const { name } = command.changes;
        if (name !== undefined) requireName(state, name, topicId);
        const change = changesFrom<Topic>(topic, command.changes);
        return change === null ? [] : [{ type: 'TopicUpdated', data: { topicId, ...change } }];
      }
      case 'DeleteTopic':
        return [{ type: 'TopicDeleted', data: { topicId, name: topic.name } }];
      default:
        return command satisfies never;
    }
  },

  evolve(state, event) {
    const { topicId } = event.data;
    switch (event.type) {
      case 'TopicCreated': {
        const { name, title, description, avatarUrl } = event.data;
        return state.set(topicId, { name, title, description, avatarUrl });
      }
      case 'TopicUpdated': {
        const topic = state.get(topicId);
        return topic ? state.set(topicId, { ...topic, ...event.data.changes }) : state;
      }
      case 'TopicDeleted':
        return state.delete(topicId);
      default:
        return event satisfies never;
    }
  },
};

function requireName(state: TopicsState, name: string, ofId?: number): void {
  if (name.trim() === '') throw invalid('name', "can't be blank");
  if (BREAK.test(name)) throw invalid('name', 'has characters that are not allowed');
  const holder = topicNamed(state, name);
  if (holder !== undefined && holder !== ofId) throw invalid('name', 'has already been taken');
}
