import type { Answer } from '../api/call.ts';

export type KnownSettings = Answer<'GET', '/api/settings'>;
export type Setting = KnownSettings['settings'][number];
export type SettingValue = Setting['value'];
/** Changes by setting name; null restores the default. */
export type SettingChanges = Record<string, SettingValue | null>;
