/**
 * A tag name as a reader takes it: lower case, without invisible characters and accents, look-alike letters of other
 * scripts as Latin ones, escapes decoded. What comes after the first character that no name has is cut off.
 */
export function foldName(written: string): string {
  // Most names: nothing to decode.
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

/** Cyrillic, Greek, Armenian and small capitals; NFKD converts other look-alikes. */
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
