// `npm run bench` measures Cairn and compares each figure with its floor. Options: see USAGE.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeHookPicture } from './hook-picture.mjs';
import { describeMachine } from './machine.mjs';
import { asMarkdown, asText } from './table.mjs';

const SECTIONS = {
  hooks: () => import('./hooks.mjs'),
  answering: () => import('./answering.mjs'),
  statusline: () => import('./statusline.mjs'),
  intake: () => import('./intake.mjs'),
  redaction: () => import('./redaction.mjs'),
  distilling: () => import('./distilling.mjs'),
  claims: () => import('./claims.mjs'),
  'follow-ups': () => import('./follow-ups.mjs'),
  worker: () => import('./worker.mjs'),
  import: () => import('./import.mjs'),
  size: () => import('./size.mjs'),
  search: () => import('./search.mjs'),
  viewer: () => import('./viewer.mjs'),
  coding: () => import('./coding.mjs'),
  push: () => import('./push.mjs'),
  precision: () => import('./precision.mjs'),
  team: () => import('./team.mjs'),
};

const USAGE = `npm run bench -- [${Object.keys(SECTIONS).join('|')} …] [--runs N] [--ablate] [--million] [--verbose] [--agent <agent>] [--json | --markdown] [--update-docs]
       npm run bench -- recall --data <folder> [--json]`;
const TABLES_FILE = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));
const TABLES_PART = /(<!-- bench:start -->\n)[\s\S]*?(<!-- bench:end -->)/;

const { names, options } = readArguments();
if (names.includes('recall')) await measureRecall();
const report = { machine: describeMachine(), sections: await measure(names) };

if (options['update-docs']) updateTables(asMarkdown(report));
if (options.json) console.log(JSON.stringify(report, null, 2));
else console.log(options.markdown ? asMarkdown(report) : asText(report));

/** Measures recall on data from a folder. It is not part of the report and prints its own results. */
async function measureRecall() {
  const { runRecall } = await import('./recall.mjs');
  try {
    await runRecall({ data: options.data, json: options.json, say });
    process.exit(0);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

/** Measures several sections in separate processes, because memory left by one would slow down the next. */
async function measure(sections) {
  const [only] = sections;
  if (sections.length === 1) {
    say(`Measuring ${only} …`);
    const { measure } = options.agent ? await import('./agent-hooks.mjs') : await SECTIONS[only]();
    return [
      {
        name: only,
        ...(await measure({
          runs: Number(options.runs),
          ablate: options.ablate,
          million: options.million,
          verbose: options.verbose,
          agent: options.agent,
          say,
        })),
      },
    ];
  }
  return sections.flatMap((section) => {
    const args = [fileURLToPath(import.meta.url), section, '--json', '--runs', options.runs];
    if (options.million) args.push('--million');
    try {
      const output = execFileSync(process.execPath, args, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
        maxBuffer: 64 * 1024 * 1024,
      });
      return JSON.parse(output).sections;
    } catch {
      // The results of the other sections are kept.
      say(`${section} could not be measured.`);
      process.exitCode = 1;
      return [];
    }
  });
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        runs: { type: 'string', default: '200' },
        json: { type: 'boolean' },
        markdown: { type: 'boolean' },
        ablate: { type: 'boolean' },
        million: { type: 'boolean' },
        data: { type: 'string' },
        verbose: { type: 'boolean' },
        agent: { type: 'string' },
        'update-docs': { type: 'boolean' },
      },
    });
    if (
      positionals.includes('recall') !== (values.data !== undefined) ||
      (values.data && positionals.length > 1)
    )
      throw new Error('recall is measured by itself, with --data <folder>.');
    for (const name of positionals.filter((name) => name !== 'recall'))
      if (!Object.hasOwn(SECTIONS, name)) throw new Error(`There is no bench "${name}".`);
    if (values.agent !== undefined && (positionals.length !== 1 || positionals[0] !== 'hooks'))
      throw new Error('--agent is for hooks: npm run bench -- hooks --agent <agent>');
    if (!/^[1-9]\d*$/.test(values.runs)) throw new Error('--runs takes a whole number of at least 1.');
    if (values['update-docs']) requireTablesPart();
    return { names: positionals.length > 0 ? positionals : Object.keys(SECTIONS), options: values };
  } catch (error) {
    console.error(`${error.message}\nUsage: ${USAGE}`);
    process.exit(2);
  }
}

function requireTablesPart() {
  if (!fs.existsSync(TABLES_FILE) || !TABLES_PART.test(fs.readFileSync(TABLES_FILE, 'utf8')))
    throw new Error('docs/benchmarks.md has no lines <!-- bench:start --> and <!-- bench:end -->.');
}

function updateTables(markdown) {
  const text = fs.readFileSync(TABLES_FILE, 'utf8');
  fs.writeFileSync(
    TABLES_FILE,
    text.replace(TABLES_PART, (_all, start, end) => `${start}\n${markdown}\n\n${end}`),
  );
  writeHookPicture();
  say('docs/benchmarks.md and docs/images/hook-time.svg are up to date.');
}

function say(line) {
  console.error(line);
}
