/** Those that only memories with a title have. */
export const TITLED_FEATURES = [
  ...(['fields', 'fieldShare', 'names', 'titleFit', 'joined', 'pairs', 'grams', 'feedback'] as const),
];

/**
 * The features of the ranker. Shares are relative to the question's total weight, in which rare terms weigh more: 1
 * if all of the question was found.
 */
export const FEATURES = [
  ...(['weight', 'own', 'around', 'answers', 'together', 'alike', 'header'] as const),
  ...TITLED_FEATURES,
  ...(['session', 'sessionOwn'] as const),
  ...(['said', 'saidByOther', 'addressed', 'byAgent', 'instructs'] as const),
  ...(['asksIt', 'length', 'tiny', 'number', 'time', 'name', 'cause'] as const),
  ...(['day', 'recent', 'branch', 'otherBranch', 'file', 'pinned', 'superseded', 'elsewhere'] as const),
  ...(['note', 'lasting', 'summary', 'prompt', 'related'] as const),
];

export type Feature = (typeof FEATURES)[number];

/** The values of one document, indexed by feature. */
export type Features = Float64Array;

export const FEATURE_INDEX = Object.fromEntries(FEATURES.map((name, index) => [name, index])) as Record<
  Feature,
  number
>;
