declare const CAIRN_VERSION: string | undefined;

/** Set by the build. */
export const VERSION = typeof CAIRN_VERSION === 'string' ? CAIRN_VERSION : '0.0.0-source';
