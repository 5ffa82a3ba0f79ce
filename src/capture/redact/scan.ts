import { type AnchorGroup, buildTable, type PackedTable, packTable, unpackTable } from './anchor-table.ts';
import { type Anchors, createAnchorSearch } from './anchors.ts';
import { addressRules } from './rules/addresses.ts';
import { codeRules } from './rules/code.ts';
import { commandRules } from './rules/commands.ts';
import { credentialRules } from './rules/credentials.ts';
import { foreignNameRules } from './rules/foreign-names.ts';
import { headerRules } from './rules/headers.ts';
import type { PlaceRule } from './rules/place-rule.ts';
import type { TokenRule } from './rules/token-rule.ts';
import { tokenRules } from './rules/tokens.ts';

let allPlaceRules: PlaceRule[] | undefined;

export function placeRules(): PlaceRule[] {
  allPlaceRules ??= [
    ...addressRules(),
    ...headerRules(),
    ...credentialRules(),
    ...codeRules(),
    ...foreignNameRules(),
  ];
  return allPlaceRules;
}

export const SECRET_NAME_GROUP = 0;
export const TOKEN_GROUP = 1;
export const COMMAND_GROUP = 2;
export const PRIVATE_KEY_GROUP = 3;
export const MANIFEST_GROUP = 4;
export const INSERT_GROUP = 5;
/** From here on each place rule has its own group. */
export const FIRST_PLACE_GROUP = 6;

/** Set by scripts/build.mjs: building the table takes a hook 4 ms, unpacking it 0.25 ms. */
declare const CAIRN_ANCHORS: PackedTable | undefined;

let find: ((text: string) => Anchors) | undefined;

/** Finds all anchors in one pass over the text. */
export function scanText(text: string): Anchors {
  find ??= createAnchorSearch(
    typeof CAIRN_ANCHORS === 'undefined' ? buildTable(anchorGroups()) : unpackTable(CAIRN_ANCHORS),
  );
  return find(text);
}

export function packAnchors(): PackedTable {
  return packTable(buildTable(anchorGroups()));
}

export function anchorGroups(): AnchorGroup[] {
  return [
    {
      literals: [
        'pass',
        'pwd',
        'pswd',
        '_pw',
        'pw',
        'secret',
        'token',
        'key',
        'cred',
        'auth',
        'jwt',
        'psk',
        '_pat',
        'kennw',
        'wacht',
        'contr',
        'senha',
      ],
    },
    { literals: [...tokenRulesByAnchor().keys()], exact: true },
    { literals: [...new Set(commandRules().map(({ command }) => command.slice(0, 5)))], exact: true },
    { literals: ['VATE KEY', 'Private-Lines:'], exact: true },
    { literals: ['kind'] },
    { literals: ['insert'] },
    ...placeRules().map(({ anchors }) => ({ literals: anchors })),
  ];
}

let byAnchor: Map<string, TokenRule[]> | undefined;

export function tokenRulesByAnchor(): Map<string, TokenRule[]> {
  if (byAnchor !== undefined) return byAnchor;
  byAnchor = new Map();
  for (const rule of tokenRules()) {
    for (const anchor of anchorsOf(rule)) {
      const rules = byAnchor.get(anchor);
      if (rules === undefined) byAnchor.set(anchor, [rule]);
      else rules.push(rule);
    }
  }
  return byAnchor;
}

const PLAIN_START = /^(?:(?:[\w/:-]|\\[.$+])(?![?{])){3,5}/;

function anchorsOf({ starts, anchors, inRun }: TokenRule): string[] {
  if (anchors !== undefined) return anchors.split(' ');
  const plain = inRun === undefined ? PLAIN_START.exec(starts)?.[0] : undefined;
  if (plain === undefined) return [];
  return [plain.includes('\\') ? plain.replaceAll('\\', '') : plain];
}
