import { createHash } from 'node:crypto';

/** The mark in each file that Cairn owns, followed by a digest of the file to recognise changes by a person. */
export const OWN_MARK = 'Written by Cairn, which renews and removes it while it is unchanged:';

const SIGNED_MARK = new RegExp(`${OWN_MARK} (\\w{16})`);

/** The text with the digest after its mark. */
export function signText(text: string): string {
  return text.replace(OWN_MARK, `${OWN_MARK} ${digestOf(text)}`);
}

export function readMark(text: string): 'ours' | 'edited' | 'foreign' {
  const digest = SIGNED_MARK.exec(text)?.[1];
  if (digest === undefined) return 'foreign';
  return digest === digestOf(text.replace(SIGNED_MARK, OWN_MARK)) ? 'ours' : 'edited';
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
