import { expect, test } from 'vitest';
import { tokenise } from '../indexing/tokenise.ts';
import { locateTerms } from './locate-terms.ts';

test.each([
  { asked: 'limiter', text: 'The limiters share one Limiter.', found: ['limiters', 'Limiter'] },
  { asked: 'getUserName', text: 'call get_user_name() first', found: ['get_user_name'] },
  { asked: 'user', text: 'call getUserName() first', found: ['User'] },
  { asked: 'rate-limit.ts', text: 'see src/http/rate-limit.ts.', found: ['src/http/rate-limit.ts'] },
  { asked: 'limit', text: 'see src/http/rate-limit.ts.', found: ['limit'] },
  { asked: 'ENOENT', text: 'It said "ENOENT: no such file"', found: ['ENOENT'] },
  { asked: 'v1.2', text: 'pinned to v1.2.3, not 2.3', found: ['v1.2.3'] },
  { asked: '缓存', text: '登录页面的缓存有问题', found: ['缓存'] },
  { asked: '登录页', text: '登录页面的缓存有问题', found: ['登录页'] },
  { asked: 'café', text: 'The Cafe menu', found: ['Cafe'] },
  { asked: 'limiter', text: 'Nothing of the kind', found: [] },
])('$asked in "$text"', ({ asked, text, found }) => {
  const places = locateTerms(text, new Set(tokenise(asked)));
  expect(places.map(({ start, end }) => text.slice(start, end))).toEqual(found);
});
