import type { Answer } from './call.ts';

export type Feed = Answer<'GET', '/api/feed'>;
export type Memory = Feed['memories'][number];
export type Turn = Feed['turns'][number];
export type Session = Feed['sessions'][number];
export type RunningTurn = Answer<'GET', '/api/running'>['running'][number];
export type StoredEvent = Answer<'GET', '/api/events/{id}'>['event'];
export type Story = Answer<'GET', '/api/memories/{id}'>;
export type Project = Answer<'GET', '/api/projects'>['projects'][number];
export type Health = Answer<'GET', '/api/health'>;
export type Hit = Answer<'GET', '/api/search'>['hits'][number];
export type MemoryType = NonNullable<Memory['type']>;
export type TeamState = Answer<'GET', '/api/team'>;
export type TeamProject = TeamState['projects'][number];
