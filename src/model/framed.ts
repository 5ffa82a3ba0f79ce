declare const framed: unique symbol;

/**
 * Text that a model may read: stored parts are neutralised and framed. Only src/framing makes it, so an output that
 * accepts only this type cannot pass on raw stored text.
 */
export type Framed = string & { readonly [framed]: true };

export const FRAME_OPENING = '<cairn-context>';
export const FRAME_CLOSING = '</cairn-context>';
