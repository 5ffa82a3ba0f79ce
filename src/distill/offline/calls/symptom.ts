import { withoutFolder } from './paths.ts';
import type { Run } from './runs.ts';

const failedTests = [
  /^\s*✖ (.+?)(?: \(\d[\d.]*m?s\))?$/,
  /^not ok \d+ - (.+)$/,
  /^\s*[✕✗×] (.+?)(?: \(?\d[\d.]*\s?m?s\)?)?$/,
  /^\s*FAIL\s+\S+ > (.+)$/,
  /^FAILED (\S+::\S+)/,
  /^(?:FAIL|ERROR): (\w+)/,
  /^\s*--- FAIL: (\S+)/,
  /^test (\S+) \.\.\. FAILED$/,
];

/** How an assertion failed is of no use once the test is green; the test's name says what broke. */
const assertion = /Assert|expected|ERR_ASSERTION|!==|toEqual|toBe\b/i;
const errorLine =
  /^(?:\s*(?:Uncaught |throw new )?)((?:[A-Z]\w*(?:Error|Exception)|[Ee]rror(?:\[\w+\])?|fatal|panic|npm (?:ERR!|error)|E(?!RROR)[A-Z]{4,})(?: \[\w+\])?: .{4,})$/;
const shellError =
  /^.*?((?:command not found|No such file or directory|Permission denied|address already in use|cannot find module|not recognized|unbound variable|unknown option|invalid option|unsupported|timed out|refused).*)$/i;

/** The names of the tests that failed. */
export function findFailedTests({ output }: Run): string[] {
  const names = new Set<string>();
  for (const line of output.split('\n').slice(0, 400)) {
    const name = failedTests.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined);
    if (
      name !== undefined &&
      name.length <= 140 &&
      !/^(failing tests:|\S+\.[cm]?[jt]sx?$|test failed)/i.test(name.trim())
    )
      names.add(name.trim());
    if (names.size >= 5) break;
  }
  return [...names];
}

/** The line that tells what went wrong, unless it only repeats an assertion. */
export function findError({ output }: Run, folder: string): string | undefined {
  const lines = output.split('\n').slice(0, 400);
  const line =
    lines
      .map((each) => errorLine.exec(each)?.[1])
      .find((each) => each !== undefined && !assertion.test(each)) ??
    lines
      .map((each) => shellError.exec(each)?.[0])
      .find((each) => each !== undefined && !assertion.test(each));
  return line === undefined
    ? undefined
    : withoutFolder(line, folder).trim().replace(/\s+/g, ' ').slice(0, 160);
}
