import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { makePrivateFolder } from '../../platform/files.ts';
import { type ProgramEnd, runProgram } from '../../platform/run-program.ts';
import { type Completion, type CompletionRequest, type ModelProvider, ProviderError } from './provider.ts';

export interface ClaudeCliOptions {
  program: string;
  model: string;
  /** An empty folder of our own: no project files reach the model, and it is not taken for a project. */
  folder: string;
  /** The person's environment, with the variable that keeps our hooks silent. */
  environment: Record<string, string>;
  timeoutMs: number;
}

/** Runs the person's own `claude` for one question: no hooks, no tools, no stored session. */
export function claudeCliProvider(options: ClaudeCliOptions): ModelProvider {
  const { program, model, folder, timeoutMs } = options;
  return {
    name: 'claude-cli',
    model,
    async complete(request, signal) {
      const limit = AbortSignal.timeout(timeoutMs);
      const env = { ...options.environment, ...quietEnvironment(request.maxTokens, timeoutMs) };
      const call = { program, args: argumentsFor(request, model), cwd: folder, env, input: request.user };
      try {
        makePrivateFolder(folder);
        return completionOf(await runProgram(call, AbortSignal.any([signal, limit])));
      } catch (error) {
        if (error instanceof ProviderError) throw error;
        if (signal.aborted) throw signal.reason;
        if (limit.aborted) {
          const seconds = Math.ceil(timeoutMs / 1_000);
          throw new ProviderError('unreachable', `claude did not answer within ${seconds} s.`);
        }
        throw new ProviderError('will-not-heal', `${program} cannot be started. ${OTHER_WAYS}`);
      }
    },
  };
}

const OTHER_WAYS = 'Install Claude Code, or choose another model.provider.';

function argumentsFor({ system, schema }: CompletionRequest, model: string): string[] {
  const asking = ['-p', '--output-format', 'json', '--model', model, '--system-prompt', system];
  // One request: Cairn repairs an unusable answer itself.
  const answering = ['--json-schema', JSON.stringify(schema), '--max-turns', '1'];
  const alone = ['--no-session-persistence', '--settings', '{"disableAllHooks":true}'];
  const bare = ['--tools', '', '--strict-mcp-config', '--disable-slash-commands'];
  return [...asking, ...answering, ...alone, ...bare];
}

/** As variables rather than options, because a client would not start with an option it does not know. */
function quietEnvironment(maxTokens: number, timeoutMs: number): Record<string, string> {
  return {
    // Excludes the person's instructions, plugins and hooks, but not their login.
    CLAUDE_CODE_SAFE_MODE: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxTokens),
    MAX_THINKING_TOKENS: '0',
    // The queue retries and knows when.
    CLAUDE_CODE_MAX_RETRIES: '0',
    API_TIMEOUT_MS: String(timeoutMs),
  };
}

function completionOf({ exitCode, stdout, stderr }: ProgramEnd): Completion {
  const printed = resultIn(stdout);
  if (printed === null) throw withoutResult(exitCode, stderr);
  if (printed.is_error === true && printed.subtype !== 'error_max_turns') throw failed(printed);
  const usage = isObject(printed.usage) ? printed.usage : {};
  const { structured_output: answer, result } = printed;
  return {
    text: isObject(answer) ? JSON.stringify(answer) : typeof result === 'string' ? result : '',
    tokensIn:
      count(usage.input_tokens) +
      count(usage.cache_creation_input_tokens) +
      count(usage.cache_read_input_tokens),
    tokensOut: count(usage.output_tokens),
  };
}

function resultIn(stdout: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(stdout);
    return isObject(value) && value.type === 'result' ? value : null;
  } catch {
    return null;
  }
}

function withoutResult(exitCode: number | null, stderr: string): ProviderError {
  const option = /unknown option '([\w-]+)'/.exec(stderr)?.[1];
  if (option) {
    return new ProviderError(
      'will-not-heal',
      `This claude is too old: it does not know ${option}. Run \`claude update\`, or choose another model.provider.`,
    );
  }
  const how = exitCode === null ? 'was killed' : `ended with ${exitCode}`;
  return new ProviderError('bad-answer', `claude ${how} and printed no result.`);
}

/** The client reports the API's status; without one only the message says what happened. */
function failed({ api_error_status: given, result }: JsonObject): ProviderError {
  const message = typeof result === 'string' ? result : '';
  const status = typeof given === 'number' ? given : undefined;
  const trouble = (kind: ProviderError['kind'], message: string) =>
    new ProviderError(kind, message, { status });

  if (status === 429 || /usage limit|rate limit|hit your .*limit/i.test(message)) {
    return trouble('rate-limited', 'claude has reached a limit of its account.');
  }
  if (status === 401 || status === 403 || /not logged in|\/login/i.test(message)) {
    return trouble('will-not-heal', 'claude is not logged in. Run `claude` and log in with /login.');
  }
  if (status === 404) {
    return trouble('will-not-heal', 'claude does not know the model. Check the setting model.name.');
  }
  if (status !== undefined && status >= 400 && status < 500) {
    return trouble('will-not-heal', `claude's request is refused (${status}). Try another model.name.`);
  }
  if (status !== undefined) return trouble('overloaded', `claude gets no answer now (${status}).`);
  return trouble('unreachable', 'claude cannot reach its API.');
}

function count(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}
