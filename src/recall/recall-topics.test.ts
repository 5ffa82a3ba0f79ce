import { afterEach, beforeEach, expect, it } from 'vitest';
import { type MemoryStoreForTest, openMemoryStore } from '../../test/support/memory-store.ts';
import { recall } from './recall.ts';
import { recallTopics } from './recall-topics.ts';
import type { Hit, RecallRequest } from './request.ts';

let memory: MemoryStoreForTest;
let ids: Record<'webhook' | 'socket' | 'deadlock' | 'login', number>;
beforeEach(() => {
  memory = openMemoryStore();
  for (let number = 0; number < 30; number++) memory.addNote(`Filler ${number} about nothing much at all`);
  ids = {
    webhook: memory.addNote('Stripe webhooks arrive twice', { type: 'gotcha' }),
    socket: memory.addNote('WebSockets are closed by nginx after 60 seconds'),
    deadlock: memory.addNote('Deadlock on order_items during checkout'),
    login: memory.addNote('Login looped until the cookie was Lax'),
  };
});
afterEach(() => memory.close());

function request(text: string): RecallRequest {
  return { text, projectId: 1, reach: 'project', limit: 10, now: 0 };
}

function search(text: string): number[] {
  return answersIn(recallTopics(memory.store, request(text)).hits);
}

function answersIn(hits: Hit[]): number[] {
  return hits.filter(({ isWeaker }) => !isWeaker).map(({ id }) => id);
}

it('finds the second topic of a query as well', () => {
  const text = 'stripe webhooks arriving twice and websockets closed';
  expect(answersIn(recall(memory.store, request(text)))).toEqual([ids.webhook]);
  expect(search(text)).toEqual([ids.webhook, ids.socket]);
  expect(search('Why do stripe webhooks arrive twice? Who closed the websockets?')).toEqual([
    ids.webhook,
    ids.socket,
  ]);
  expect(search('deadlock during checkout & stripe webhooks twice und websockets').sort()).toEqual([
    ids.webhook,
    ids.socket,
    ids.deadlock,
  ]);
});

it('knows the word for “and” in other languages', () => {
  const signature = memory.addNote('支付回调要先校验签名再入库');
  const cache = memory.addNote('キャッシュは予約の確定後に消す');
  expect(search('支付签名 和 キャッシュ').sort()).toEqual([signature, cache]);
  expect(search('stripe webhooks arriving twice и websockets closed')).toEqual([ids.webhook, ids.socket]);
});

it('applies the operators to each topic', () => {
  expect(search('stripe webhooks arriving twice and websockets type:gotcha')).toEqual([ids.webhook]);
  expect(search('stripe webhooks arriving twice and websockets -nginx')).toEqual([ids.webhook]);
});

it('adds nothing for a topic that no memory knows, or that is found already', () => {
  expect(search('stripe webhooks arriving twice and kubernetes')).toEqual([ids.webhook]);
  expect(search('login looped and the cookie')).toEqual([ids.login]);
});

it('keeps to the limit, each hit once', () => {
  const text = 'stripe webhooks arriving twice and websockets closed';
  expect(recallTopics(memory.store, { ...request(text), limit: 1 }).hits.map(({ id }) => id)).toEqual([
    ids.webhook,
  ]);
  const all = recallTopics(memory.store, request(text)).hits.map(({ id }) => id);
  expect(new Set(all).size).toBe(all.length);
});

it('counts the hits beyond the limit', () => {
  for (let number = 0; number < 14; number++) memory.addNote(`The upload of file ${number} broke off`);
  const count = (text: string, limit: number) => {
    const { hits, more } = recallTopics(memory.store, { ...request(text), limit });
    return [hits.length, more];
  };
  expect(count('upload', 10)).toEqual([10, 4]);
  expect(count('upload', 14)).toEqual([14, 0]);
  // Without words everything that matches the operators counts.
  expect(count('type:gotcha', 10)).toEqual([1, 0]);
  expect(count('-stripe', 10)).toEqual([10, 37]);
  expect(count('-stripe kind:note', 50)).toEqual([47, 0]);
});
