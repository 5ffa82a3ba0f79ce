import type { Draw } from './draw.ts';
import { type DrawnShape, shapesOf } from './shape.ts';

/** Letters of both cases and digits: in a sentence only its looks reveal it. */
const opaque = (draw: Draw) =>
  `${draw.letters(1)}${draw.from('bcdfghjkmnpqrstvwxz', 2)}${draw.digits(2)}${draw.mixed(10)}${draw.from('BCDFGHJKMNPQRSTVWXZ', 3)}${draw.digits(1)}${draw.from('bcdfghjkmnpqrstvwxz', 2)}`;

/** Secrets that a person mentions in a sentence, before or after their name. */
export const sentenceShapes: DrawnShape[] = shapesOf({
  'value before its name': [opaque, (v) => `use ${v} as the API key`],
  'quoted value before its name': [opaque, (v) => `please take \`${v}\` as my admin password for now`],
  'value is the name': [opaque, (v) => `${v} is the password.`],
  'name in parentheses': [opaque, (v) => `login with admin / ${v} (password)`],
  'value in parentheses': [opaque, (v) => `the token (${v}) is old`],
  'user and password': [opaque, (v) => `credentials: robin / ${v}`],
  'set to a value': [opaque, (v) => `Set the token to \`${v}\` please`],
  'words between name and value': [opaque, (v) => `the password for robin is ${v}`],
  'name with a purpose': [opaque, (v) => `API key for production: ${v}`],
  'my key': [opaque, (v) => `here is my key: ${v}`],
  German: [opaque, (v) => `Das Passwort lautet: ${v}`],
  'German, another word': [opaque, (v) => `Kennwort: ${v}`],
  Spanish: [opaque, (v) => `la contraseña es ${v}`],
  'password of an account that no list has': [opaque, (v) => `ansible_become_pass: ${v}`],
  French: [opaque, (v) => `le mot de passe est ${v}`],
  Russian: [opaque, (v) => `Пароль от базы: ${v}`],
  Polish: [opaque, (v) => `hasło: ${v}`],
  Chinese: [opaque, (v) => `密码是${v}，请用它`],
  'Chinese, wide colon': [opaque, (v) => `数据库密码：${v}`],
  Japanese: [opaque, (v) => `パスワードは${v}`],
  Korean: [opaque, (v) => `비밀번호: ${v}`],
  'key in German': [opaque, (v) => `Der API-Schlüssel: ${v}`],
  'with a password': [opaque, (v) => `log in as admin with ${v}`],
  'from one to another': [opaque, (v) => `I changed the password from hunter2 to ${v}`],
  'prompt of a program': [opaque, (v) => `[sudo] password for robin: ${v}`],
  'name with a note': [opaque, (v) => `API key (staging): ${v}`],
  'short name': [opaque, (v) => `user: app\npass: ${v}\n`],
  'block in YAML': [opaque, (v) => `client_secret: |\n  ${v}\nnext: 1`],
  'property in Java': [opaque, (v) => `System.setProperty("db.password", "${v}");`],
});
