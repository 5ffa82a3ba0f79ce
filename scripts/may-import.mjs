// The import rules. A test compares them with the table in docs/architecture.md.

export const BEHIND_THE_DOORS = [
  ...['model', 'platform', 'config', 'agents', 'store', 'queue', 'capture'],
  ...[
    'memory',
    'distill',
    'indexing',
    'curation',
    'port',
    'recall',
    'continuity',
    'context',
    'framing',
    'team',
  ],
];

/** The files of src/agents that the rest of src/ may import. */
export const OPEN_TO_ALL = ['agents/agent.ts', 'agents/all.ts', 'agents/default.ts', 'agents/install'];

/** The files that read and write an agent's files. The rest of src/agents is pure. */
export const AGENTS_FILES = [
  ...[
    'agent-installer',
    'own-commands',
    'hook-trust',
    'optional-programs',
    'config-folder',
    'transcripts',
    'transcript-files',
    'session-database',
    'project-folders',
  ].map((name) => `agents/*/${name}.ts`),
  'agents/json-lines.ts',
  'agents/json-list.ts',
  'agents/transcript-files.ts',
  'agents/install',
];

/** Which files may import which. The first matching row counts; imports within a folder are always allowed. */
export const MAY_IMPORT = [
  ['model', []],
  ['platform', []],
  ['config', ['model', 'platform']],
  ...AGENTS_FILES.map((place) => [place, ['model', 'platform']]),
  ['agents', ['model']],
  ['framing', ['model', 'agents']],
  ['store', ['model', 'platform']],
  ['queue', ['model', 'platform', 'store']],
  ['team/search', ['model', 'platform', 'store', 'capture', 'indexing', 'recall', 'context']],
  [
    'team/sync',
    [
      'model',
      'platform',
      'config',
      'store',
      'capture',
      'indexing',
      'recall',
      'curation',
      'port',
      'continuity',
    ],
  ],
  ['team', ['model', 'platform']],
  ['capture', ['model', 'platform', 'config', 'agents', 'store']],
  ['memory', ['model', 'platform', 'config', 'store', 'capture', 'recall']],
  ['distill', ['model', 'platform', 'config', 'agents', 'framing', 'store', 'queue', 'capture']],
  ['indexing', ['model', 'platform', 'config', 'store', 'queue']],
  ['recall', ['model', 'platform', 'config', 'store', 'indexing']],
  [
    'curation',
    ['model', 'platform', 'config', 'store', 'capture', 'distill', 'indexing', 'continuity', 'context'],
  ],
  ['port', ['model', 'platform', 'config', 'agents', 'store', 'capture', 'indexing', 'curation']],
  [
    'continuity',
    ['model', 'platform', 'config', 'agents', 'framing', 'store', 'queue', 'capture', 'indexing', 'recall'],
  ],
  [
    'context',
    [
      'model',
      'platform',
      'config',
      'agents',
      'framing',
      'store',
      'memory',
      'indexing',
      'recall',
      'continuity',
    ],
  ],
  [
    'hooks',
    [
      'model',
      'platform',
      'config',
      'agents',
      'framing',
      'store',
      'capture',
      'memory',
      'continuity',
      'context',
    ],
  ],
  ['commands', [...BEHIND_THE_DOORS, 'hooks', 'mcp', 'api', 'worker']],
  ['mcp', BEHIND_THE_DOORS],
  ['api', BEHIND_THE_DOORS],
  ['page', ['model', 'api']],
  ['worker', [...BEHIND_THE_DOORS, 'api']],
  ['cli.ts', ['model', 'platform', 'config', 'agents', 'store', 'memory', 'commands', 'mcp', 'worker']],
];
