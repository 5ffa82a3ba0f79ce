import { describe, expect, test } from 'vitest';
import type { FileTouch, ToolAction } from '../../model/agent-event.ts';
import type { Json } from '../../model/json.ts';
import { readToolCall } from '../dialect/tools.ts';
import { tools } from './tools.ts';

describe('the action of a tool', () => {
  test.each<[string, string, ToolAction]>([
    ['MultiEdit', 'MultiEdit', 'change'],
    ['Task', 'Agent', 'delegate'],
    ['WebSearch', 'WebSearch', 'web'],
    ['ListMcpResourcesTool', 'ListMcpResourcesTool', 'meta'],
    ['SlashCommand', 'SlashCommand', 'meta'],
    ['Skill', 'Skill', 'meta'],
    ['mcp__cairn__search', 'mcp__cairn__search', 'meta'],
    ['mcp__plugin_cairn_cairn__search', 'mcp__plugin_cairn_cairn__search', 'meta'],
    ['mcp__plugin_cairn_memory__search', 'mcp__plugin_cairn_memory__search', 'meta'],
    ['mcp__cairnish__search', 'mcp__cairnish__search', 'other'],
    ['mcp__github__cairn__search', 'mcp__github__cairn__search', 'other'],
    ['constructor', 'constructor', 'other'],
    ['Tomorrow', 'Tomorrow', 'other'],
  ])('%s', (tool_name, name, does) => {
    expect(readToolCall(tools, { tool_name, tool_input: {} })).toStrictEqual({
      name,
      does,
      input: {},
      files: [],
    });
  });
});

describe('touched files', () => {
  test.each<[string, string, Json, Json, FileTouch[]]>([
    ['named in the input', 'Edit', { file_path: '/a' }, { filePath: '/b' }, [{ path: '/a', how: 'write' }]],
    ['named in the response alone', 'Write', {}, { filePath: '/b' }, [{ path: '/b', how: 'write' }]],
    ['several edits', 'MultiEdit', { file_path: '/a', edits: [] }, null, [{ path: '/a', how: 'write' }]],
    ['a notebook', 'NotebookEdit', { notebook_path: '/n' }, null, [{ path: '/n', how: 'write' }]],
    [
      'a notebook named in the response',
      'NotebookEdit',
      null,
      { notebook_path: '/n' },
      [{ path: '/n', how: 'write' }],
    ],
    [
      'a notebook that was read',
      'NotebookRead',
      { notebook_path: '/n' },
      null,
      [{ path: '/n', how: 'read' }],
    ],
    [
      'a read file named in the response',
      'Read',
      {},
      { file: { filePath: '/r' } },
      [{ path: '/r', how: 'read' }],
    ],
    ['found by Grep', 'Grep', { path: '/src' }, { filenames: ['/src/a', '/src/b'] }, []],
    ['found by Glob', 'Glob', {}, { filenames: ['/src/a'] }, []],
    ['an invalid path', 'Read', { file_path: 7 }, 'text', []],
    ['an invalid input', 'Write', ['/a'], [], []],
  ])('%s', (_, tool_name, tool_input, tool_response, files) => {
    expect(readToolCall(tools, { tool_name, tool_input, tool_response }).files).toStrictEqual(files);
  });
});

describe('the command', () => {
  test.each<[string, string, Json, string | undefined]>([
    ['of a shell', 'Bash', { command: 'ls' }, 'ls'],
    ['that is not a text', 'Bash', { command: ['ls'] }, undefined],
    ['of a tool that does not run a shell', 'Read', { command: 'ls' }, undefined],
  ])('%s', (_, tool_name, tool_input, command) => {
    expect(readToolCall(tools, { tool_name, tool_input }).command).toBe(command);
  });
});
