import { isOpaqueWord, isRandom } from '../secret-values.ts';
import type { PlaceRule } from './place-rule.ts';

const PASSWORDS =
  "密码|密碼|口令|пароль|пароля|паролем|mot de passe|mots de passe|hasło|hasła|contrase?nn?a|parola d'ordine|parola|salasana|lösenord|adgangskode|heslo|jelszó|şifre|mật khẩu|kata sandi|パスワード|暗証番号|비밀번호|암호";
const KEYS =
  '密钥|密鑰|令牌|ключ|токен|clé(?: d.)?(?: api| secrète)?|schlüssel|chave|clave|chiave|APIキー|トークン|토큰';

/** Words for a password or a key in other languages, and the value after them. */
export const foreignNameRules = (): PlaceRule[] => [
  {
    kind: 'password',
    anchors: anchorsOf(PASSWORDS),
    pattern: () => patternOf(PASSWORDS),
    accepts: (value) => isRandom(value, 6),
  },
  { kind: 'key', anchors: anchorsOf(KEYS), pattern: () => patternOf(KEYS), accepts: isOpaqueWord },
];

/** Up to a sign, or a word for "is"; between two words of Chinese, Japanese or Korean there is no space. */
function patternOf(names: string): RegExp {
  return new RegExp(
    `((?:${names})[^\\n"'\`:：=]{0,30}?(?:\\s{0,3}[:：=]|\\s(?:est|è|to|это|jest|är|er|on|je|é|is|ist|lautet)(?=\\s)|是|为|為|は|은|는|->|→)[\\s\\u3000]{0,3}["'\`«“「]?)([^\\s"'\`«»“”「」，。,;\\\\]{6,200})`,
    'iy',
  );
}

function anchorsOf(names: string): string[] {
  return [...new Set(names.split('|').flatMap(startsOf))];
}

/** The scan ignores case only in ASCII. */
function startsOf(name: string): string[] {
  const plain = /^[^?(]{2,5}/.exec(name)?.[0] ?? '';
  // The lower bytes of two characters alone occur everywhere.
  if (plain.length === 2) return [...':： =是为為は은는'].map((after) => plain + after);
  return [plain, plain.charAt(0).toUpperCase() + plain.slice(1)];
}
