import { type DrawnShape, shapesOf } from './shape.ts';

/** Secrets that control sequences or invisible characters hide from a pattern. */
export const hiddenShapes: DrawnShape[] = shapesOf({
  'token in a link of the terminal': [
    (d) => `ghp_${d.mixed(36)}`,
    (v) => `\x1b]8;;https://example.com/?t=${v}\x1b\\open\x1b]8;;\x1b\\`,
  ],
  'token behind a link of the terminal': [
    (d) => `ghp_${d.mixed(36)}`,
    (v) => `\x1b]8;;https://example.com/\x07${v}\x1b]8;;\x07`,
  ],
  'password in a window title': [(d) => d.password(), (v) => `\x1b]0;mysql -u root -p${v}\x07$ ls`],
  'token for the clipboard': [(d) => `sk-ant-api03-${d.safe(90)}`, (v) => `\x1b]52;c;${v}\x07`],
  'token in a device control string': [(d) => `ghp_${d.mixed(36)}`, (v) => `\x1bPq${v}\x1b\\`],
  'name with two colours': [
    (d) => d.password(),
    (v) => `\x1b[36mDB_\x1b[1mPASSWORD\x1b[0m=\x1b[33m${v}\x1b[0m`,
  ],
  'colours with colons': [(d) => d.mixed(20), (v) => `API_KEY\x1b[38:2::255:10:3m=\x1b[m${v}`],
  'zero-width space in the name': [(d) => d.password(), (v) => `DB_PASS\u200bWORD=${v}`],
  'soft hyphen in the name': [(d) => d.password(), (v) => `pass\u00adword: ${v}`],
  'byte order mark before a token': [(d) => `ghp_${d.mixed(36)}`, (v) => `x\ufeff${v}`],
  'no-break space': [(d) => d.mixed(16), (v) => `password:\u00a0${v}`],
});
