import { expect, it } from 'vitest';
import { secretKind } from './secret-names.ts';

it.each([
  {
    names: ['password', 'DB_PASSWORD', 'PGPASSWORD', 'userPassword2', 'smtp_pass', 'MYSQL_PWD'],
    kind: 'password',
  },
  { names: ['clientSecret', 'JWT_SECRET', 'client-secret', 'SECRET_TEST'], kind: 'secret' },
  { names: ['apiKey', 'APIKEY', 'x-api-key', 'AWS_SECRET_ACCESS_KEY', 'SECRET_KEY_BASE'], kind: 'key' },
  {
    names: ['token', 'GITHUB_TOKEN', '--auth-token', '_authToken', 'CLAUDE_CODE_MESSAGING_TOKEN'],
    kind: 'token',
  },
  { names: ['auth', '_auth', 'credentials', 'awsCredential'], kind: 'credential' },
  { names: ['token_count', 'max_tokens', 'tokenizer', 'token_type', 'nextTokens'], kind: undefined },
  { names: ['passwordField', 'PASSWORD_FILE', 'first_pass', 'bypass', 'OLDPWD', 'old_pwd'], kind: undefined },
  { names: ['key', 'cacheKey', 'public_key', 'keyboard', 'monkey', 'secretName', 'author'], kind: undefined },
  { names: ['', 'a (password)', '[redacted:password]', 'x'.repeat(200)], kind: undefined },
])('the kind of $names is $kind', ({ names, kind }) => {
  expect(names.map(secretKind)).toEqual(names.map(() => kind));
});
