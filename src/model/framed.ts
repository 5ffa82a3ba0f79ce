declare const framed: unique symbol;

/**
 * Text that is safe for a model: stored parts are neutralised and framed. Only src/framing creates it, so an output
 * that accepts only this type cannot print raw stored text.
 */
export type Framed = string & { readonly [framed]: true };

export const FRAME_OPENING = '<cairn-context>';
export const FRAME_CLOSING = '</cairn-context>';
