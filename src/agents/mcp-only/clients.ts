import { TOOL_NAMES } from '../../model/tool-names.ts';
import { commandAndArgs, SERVER_NAME } from '../install/server-part.ts';
import { xdgFolder } from '../opencode/config-folder.ts';
import type { McpClient } from './client.ts';
import { homeFolder } from './config-folder.ts';

/**
 * Every agent that Cairn only connects through MCP. If a path or a key is only known from documentation, `verifiedWith`
 * is null, and `cairn install` says so.
 */
export const mcpClients: McpClient[] = [
  {
    id: 'amp',
    name: 'Amp',
    program: 'amp',
    folder: xdgFolder('amp'),
    // The dot is part of the key.
    server: { files: ['settings.jsonc', 'settings.json'], within: 'amp.mcpServers', ...commandAndArgs() },
    mayHaveComments: true,
    rules: { file: 'AGENTS.md' },
    project: { server: '.amp/settings.json' },
    verifiedWith: '0.0.1790142911',
    check: 'amp mcp doctor',
  },
  {
    id: 'auggie',
    name: 'Auggie',
    program: 'auggie',
    folder: homeFolder('.augment'),
    server: { files: ['settings.json'], within: 'mcpServers', ...commandAndArgs({ type: 'stdio' }) },
    rules: { file: 'rules/cairn.md', frontMatter: ['type: always_apply'] },
    project: { server: '.augment/settings.json', rules: '.augment/rules/cairn.md' },
    commands: { folder: 'commands', inProject: '.augment/commands' },
    verifiedWith: '0.36.0',
    check: 'auggie mcp list',
  },
  {
    id: 'crush',
    name: 'Crush',
    program: 'crush',
    folder: xdgFolder('crush'),
    server: { files: ['crush.json'], within: 'mcp', ...commandAndArgs({ type: 'stdio' }) },
    mayHaveComments: true,
    rules: { file: 'CRUSH.md' },
    allowRules: TOOL_NAMES.map((tool) => ({
      list: ['permissions', 'allowed_tools'],
      text: `mcp_${SERVER_NAME}_${tool}`,
    })),
    project: { server: 'crush.json' },
    verifiedWith: null,
    check: 'the list of MCP servers beside the chat of crush',
  },
  {
    id: 'goose',
    name: 'Goose',
    program: 'goose',
    folder: xdgFolder('goose'),
    server: {
      files: ['config.yaml'],
      within: 'extensions',
      yaml: 'map',
      build: ([cmd = '', ...args], envs) => ({
        ...{ enabled: true, type: 'stdio', name: 'cairn', description: 'Memory of past sessions' },
        ...{ cmd, args, envs, timeout: 300 },
      }),
      readCommand: ({ cmd, args }) => (Array.isArray(args) ? [cmd ?? '', ...args].map(String) : null),
    },
    rules: { file: '.goosehints' },
    verifiedWith: null,
    check: 'goose info -v',
  },
  {
    id: 'zed',
    name: 'Zed',
    program: 'zed',
    folder: xdgFolder('zed'),
    server: { files: ['settings.json'], within: 'context_servers', ...commandAndArgs() },
    mayHaveComments: true,
    rules: { file: 'AGENTS.md' },
    allowRules: TOOL_NAMES.map((tool) => ({
      within: ['agent', 'tool_permissions', 'tools'],
      name: `mcp:${SERVER_NAME}:${tool}`,
      value: { default: 'allow' },
    })),
    // Zed ignores permissions in a project's settings.
    project: { server: '.zed/settings.json', ignoresPermissions: true },
    verifiedWith: null,
    check: 'the settings of the Agent Panel in Zed',
  },
  {
    id: 'kiro',
    name: 'Kiro',
    program: 'kiro-cli',
    folder: homeFolder('.kiro'),
    server: {
      files: ['settings/mcp.json'],
      within: 'mcpServers',
      allowing: { autoApprove: TOOL_NAMES },
      ...commandAndArgs({}, { disabled: false }),
    },
    rules: { file: 'steering/cairn.md', frontMatter: ['inclusion: always'] },
    project: { server: '.kiro/settings/mcp.json', rules: '.kiro/steering/cairn.md' },
    verifiedWith: null,
    check: 'kiro-cli mcp list',
  },
  {
    id: 'antigravity',
    name: 'Antigravity',
    program: 'agy',
    folder: homeFolder('.gemini/config'),
    server: { files: ['mcp_config.json'], within: 'mcpServers', ...commandAndArgs() },
    // Next to the agent's folder. Gemini CLI reads this file too.
    rules: { file: '../GEMINI.md' },
    project: { server: '.agents/mcp_config.json' },
    verifiedWith: null,
    check: 'agy mcp list',
  },
  {
    id: 'junie',
    name: 'Junie',
    program: 'junie',
    folder: homeFolder('.junie'),
    // Junie only reads rules in a project.
    server: { files: ['mcp/mcp.json'], within: 'mcpServers', ...commandAndArgs() },
    project: { server: '.junie/mcp/mcp.json', rules: '.junie/AGENTS.md' },
    verifiedWith: null,
    check: '/mcp in junie',
  },
];
