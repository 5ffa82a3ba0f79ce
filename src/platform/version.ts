declare const CAIRN_VERSION: string | undefined;

/** Set by the build; from source it is not a release. */
export const VERSION = typeof CAIRN_VERSION === 'string' ? CAIRN_VERSION : '0.0.0-source';
