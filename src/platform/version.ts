declare const CAIRN_VERSION: string | undefined;

/** Put in by the build; from source it is nobody's release. */
export const VERSION = typeof CAIRN_VERSION === 'string' ? CAIRN_VERSION : '0.0.0-source';
