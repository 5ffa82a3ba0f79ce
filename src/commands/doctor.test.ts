import { expect, test } from 'vitest';
import { install, run, useHome } from '../../test/support/install-home.ts';
import { command } from './doctor.ts';

useHome();

const NO_PROGRAMS = { PATH: '/usr/bin:/bin' };
const LONG = 'post_cascade_response_with_transcript';

test.each([
  [undefined, `✓   ${LONG} has not run yet`],
  [120, `✓   ${LONG} has not run yet`],
  [80, `✓   ${LONG}\n                          has not run yet`],
  [50, `✓   ${LONG}\n    has not run yet`],
])('with %s columns all messages start in the same column', async (columns, expected) => {
  await run(install(), ['windsurf'], { yes: true, link: true }, false, NO_PROGRAMS);
  const { out } = await run(command, [], {}, false, NO_PROGRAMS, columns);
  const printed = out.join('\n');
  expect(printed).toContain(expected);
  const hooks = out.filter((line) => / {2}p(?:re|ost)_\w+ +has not run yet/.test(line));
  expect(hooks.length).toBeGreaterThan(5);
  const [version = ''] = out;
  const places = [version.indexOf('Cairn '), ...hooks.map((line) => line.indexOf('has not'))];
  expect(new Set(places).size).toBe(1);
  if (columns !== undefined)
    expect(
      printed.split('\n').filter((line) => line.length > columns && /\S\s+\S/.test(line.slice(2))),
    ).toEqual([]);
});
