import { join } from 'node:path';
import { readRegularText } from '../read-regular-file.ts';
import { type ConfigEntry, formatSection, isOneLine, parseConfig } from './config-file.ts';
import { type GitFolders, isReferenceName, readHead } from './references.ts';

const MOST_CONFIG_BYTES = 1_000_000;

/** How files are compared, set by `git init` for the file system; each value is a plain word. */
const CORE_KEYS = [
  ...['filemode', 'ignorecase', 'symlinks', 'precomposeunicode', 'trustctime', 'checkstat', 'longpaths'],
  ...['autocrlf', 'eol'],
];
const CORE_VALUE = /^(?:true|false|yes|no|on|off|1|0|input|lf|crlf|native|minimal|default)$/i;

/** How objects and references are stored. */
const FORMATS: Record<string, RegExp> = {
  objectformat: /^(?:sha1|sha256)$/,
  refstorage: /^(?:files|reftable)$/,
};

const REFSPEC = /^\+?refs\/[^\s:]+:refs\/[^\s:]+$/;

/**
 * The configuration that git gets in place of the repository's own: only the variables named here, each with a value
 * of the expected form. None of them names a program, a file or an address. @throws if git would refuse the file.
 */
export function buildOverlayConfig(
  { gitDir, commonDir }: GitFolders,
  { isBare }: { isBare: boolean },
): string {
  const path = join(commonDir, 'config');
  const entries = parseConfig(readRegularText(path, { maxBytes: MOST_CONFIG_BYTES }) ?? '');
  if (!entries) throw new Error(`${path} is damaged`);
  const core = entries.filter(
    ({ section, key, value }) => section === 'core' && CORE_KEYS.includes(key) && CORE_VALUE.test(value),
  );
  const formats = entries.filter(
    ({ section, key, value }) =>
      section === 'extensions' && Object.hasOwn(FORMATS, key) && FORMATS[key]?.test(value),
  );
  return [
    formatSection('core', '', [
      ['repositoryformatversion', formats.length > 0 ? '1' : '0'],
      ['bare', String(isBare)],
      ...core.map(toPair),
    ]),
    ...(formats.length > 0 ? [formatSection('extensions', '', formats.map(toPair))] : []),
    ...upstreamOf(gitDir, entries),
  ].join('');
}

/** What git needs to find the upstream of the current branch. */
function upstreamOf(gitDir: string, entries: ConfigEntry[]): string[] {
  const head = readHead(gitDir);
  if (!head || !('reference' in head)) return [];
  const branch = head.reference.replace(/^refs\/heads\//, '');
  const last = (section: string, subsection: string, key: string) =>
    entries.findLast(
      (entry) => entry.section === section && entry.subsection === subsection && entry.key === key,
    )?.value;
  const remote = last('branch', branch, 'remote');
  const merge = last('branch', branch, 'merge');
  if (!remote || !isOneLine(remote) || !merge || !isReferenceName(merge)) return [];
  const refspecs = entries
    .filter(
      ({ section, subsection, key }) => section === 'remote' && subsection === remote && key === 'fetch',
    )
    .filter(({ value }) => REFSPEC.test(value) && isOneLine(value));
  return [
    formatSection('branch', branch, [
      ['remote', remote],
      ['merge', merge],
    ]),
    ...(refspecs.length > 0 ? [formatSection('remote', remote, refspecs.map(toPair))] : []),
  ];
}

function toPair({ key, value }: ConfigEntry): [string, string] {
  return [key, value];
}
