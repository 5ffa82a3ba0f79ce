/**
 * A tag name as a reader perceives it: in lower case, without invisible characters and accents, with Latin letters for
 * look-alikes of other scripts, and with decoded escapes. Cut off before the first character that no name has.
 */
export function foldName(written: string): string {
  // Most names need no decoding.
  if (/^[\w:.-]*$/.test(written)) return withOneHyphen(written.toLowerCase());
  const letters = decodeEscapes(written)
    .normalize('NFKD')
    .replace(/[\p{Cf}\p{M}]/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .toLowerCase()
    .replace(/[^\0-\x7f]/gu, (letter) => LOOK_ALIKES.get(letter) ?? letter);
  const [name = ''] = /^[a-z\d:._-]*/.exec(letters) ?? [];
  return withOneHyphen(name);
}

function withOneHyphen(name: string): string {
  return name.replaceAll('_', '-').replace(/[.:-]+$/, '');
}

function decodeEscapes(text: string): string {
  return text
    .replace(/&#x([\da-f]{1,6});?/gi, (_, hex) => characterOf(Number.parseInt(hex, 16)))
    .replace(/&#(\d{1,7});?/g, (_, digits) => characterOf(Number(digits)))
    .replace(/\\+(?:u\{?|x)([\da-f]{2,6})\}?/gi, (_, hex) => characterOf(Number.parseInt(hex, 16)))
    .replace(/%([\da-f]{2})/gi, (_, hex) => characterOf(Number.parseInt(hex, 16)));
}

function characterOf(code: number): string {
  return code <= 0x10_ffff ? String.fromCodePoint(code) : '';
}

/** Cyrillic, Greek, Armenian and small capitals. NFKD converts the other look-alikes. */
const LOOK_ALIKES = new Map(
  [
    ...pairs('авсԁеһіјкӏмոорԛгѕтцѵԝхуᴢ', 'abcdehijklmnopqrstuvwxyz'),
    ...pairs('αβεικνορτυχηω', 'abeikvoptuxnw'),
    ...pairs('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏ', 'abcdefghijklmnoprstuvwy'),
    ...pairs('ıɑɡօսաղ', 'iagouwn'),
    ...pairs('−⁃', '--'),
  ].filter(([from]) => from !== ''),
);

function pairs(from: string, to: string): [string, string][] {
  const targets = [...to];
  return [...from].map((letter, at) => [letter, targets[at] ?? letter]);
}
