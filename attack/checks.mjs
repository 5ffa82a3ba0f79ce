/** A stack trace of node, which must not be in anything that a person or an agent reads. */
const STACK_TRACE = /\n\s+at .+:\d+:\d+\)?|node:internal\/|Node\.js v\d+\.\d+/;

/** A hook must exit with 0 in time and print nothing or one JSON object. @returns whether it did. */
export function checkHook(tally, label, { code, signal, stdout, stderr, hung }, { mayWarn = false } = {}) {
  if (hung) tally.fail('hung', `hook ${label}`);
  else if (mayWarn && isWarning(label, code, stderr)) return true;
  else if (code !== 0) tally.fail('crashed', `hook ${label} ended with ${code ?? signal}: ${stderr}`);
  // At PreCompact the agent takes plain text as instructions for the summary.
  else if (!label.startsWith('PreCompact') && !isEmptyOrObject(stdout))
    tally.fail('crashed', `hook ${label} printed ${stdout}`);
  else return true;
  return false;
}

/** A command must end in time, with 0 or with one message that explains the failure. */
export function checkCommand(tally, label, { code, signal, stdout, stderr, hung }, { mayFail = false } = {}) {
  const output = `${stdout}\n${stderr}`;
  if (hung) tally.fail('hung', `cairn ${label}`);
  else if (code === null) tally.fail('crashed', `cairn ${label} was ended by ${signal}: ${stderr}`);
  else if (STACK_TRACE.test(output)) tally.fail('crashed', `cairn ${label} printed a stack trace: ${output}`);
  else if (code !== 0 && !mayFail) tally.fail('crashed', `cairn ${label} ended with ${code}: ${output}`);
  else return true;
  return false;
}

export function hasStackTrace(text) {
  return STACK_TRACE.test(text);
}

function isEmptyOrObject(stdout) {
  if (stdout.trim() === '') return true;
  try {
    const value = JSON.parse(stdout);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** After a tool call exit code 2 blocks nothing; a hook uses it to report that it cannot keep events. */
function isWarning(label, code, stderr) {
  return code === 2 && label.startsWith('PostToolUse') && /^Cairn could not keep [^\n]+\n$/.test(stderr);
}
