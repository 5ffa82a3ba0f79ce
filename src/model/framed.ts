declare const framed: unique symbol;

/**
 * Text that a model may read: stored parts are neutralised and stand inside a frame. Only src/framing makes it, so a
 * door that takes nothing else cannot pass stored text on as it is.
 */
export type Framed = string & { readonly [framed]: true };

export const FRAME_OPENING = '<cairn-context>';
export const FRAME_CLOSING = '</cairn-context>';
