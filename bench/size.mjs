import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { workFolder } from './home.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const MOST_MB = 60;

export async function measure({ say }) {
  const work = workFolder();
  const target = join(work, 'installed');
  fs.mkdirSync(target);
  fs.writeFileSync(join(target, 'package.json'), '{ "private": true }\n');
  say('  packing and installing …');
  // dist/ is already built; building it again would disturb other users of the checkout.
  const packed = npm(['pack', '--ignore-scripts', '--json', '--pack-destination', work], root);
  const archive = join(work, JSON.parse(packed)[0].filename);
  const began = performance.now();
  npm(['install', '--omit=dev', '--no-audit', '--no-fund', archive], target);
  const seconds = (performance.now() - began) / 1_000;

  const files = filesBelow(join(target, 'node_modules'));
  const megabytes = sum(files.map(({ size }) => size)) / 1e6;
  const { packages } = JSON.parse(fs.readFileSync(join(target, 'package-lock.json'), 'utf8'));
  const verdict = megabytes <= MOST_MB ? 'met' : 'above target';
  return {
    title: 'Installed, with production dependencies',
    columns: ['', 'figure', 'target'],
    rows: [
      row('on the disk', `${megabytes.toFixed(1)} MB`, verdict, { megabytes, verdict }),
      row('packages', String(Object.keys(packages).length - 1), '', {
        packages: Object.keys(packages).length - 1,
      }),
      row('archive', kilobytes(fs.statSync(archive).size), '', { archiveBytes: fs.statSync(archive).size }),
      row('dist/hook-program.cjs', kilobytes(hookSize()), '', { hookBytes: hookSize() }),
      row('time to install', `${seconds.toFixed(1)} s`, '', { installSeconds: seconds }),
    ],
    notes: [`Target: at most ${MOST_MB} MB.`],
  };
}

function row(name, figure, verdict, figures) {
  return { cells: [name, figure, verdict], figures };
}

function npm(args, cwd) {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function hookSize() {
  return fs.statSync(join(root, 'dist/hook-program.cjs')).size;
}

function filesBelow(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => fs.statSync(join(entry.parentPath ?? entry.path, entry.name)));
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1_000)} kB`;
}
