import type { FileEdit } from './edits.ts';
import { baseName, kindOfFile } from './paths.ts';
import type { Run } from './runs.ts';

/** Packages that came to the project's dependencies or left them. */
export interface PackageChange {
  name: string;
  version: string;
  how: 'added' | 'removed' | 'changed';
  events: number[];
}

const installs =
  /^(?:(?:npm|pnpm|yarn|bun) (?:i|install|add)|(?:python3? -m )?pip3? install|uv (?:add|pip install)|poetry add|cargo add|go get|bundle add|composer require)\s+(.*)$/;

export function findPackageChanges(edits: FileEdit[], runs: Run[]): PackageChange[] {
  const changes = new Map<string, PackageChange>();
  for (const edit of edits.filter(({ path }) => kindOfFile(path) === 'manifest')) {
    const before = entriesIn(edit.path, edit.before);
    const after = entriesIn(edit.path, edit.created ? [] : edit.after);
    for (const [name, version] of after) {
      const was = before.get(name);
      if (was !== version)
        changes.set(name, {
          name,
          version,
          how: was === undefined ? 'added' : 'changed',
          events: edit.events,
        });
    }
    for (const name of before.keys()) {
      if (!after.has(name)) changes.set(name, { name, version: '', how: 'removed', events: edit.events });
    }
  }
  for (const run of runs.filter(({ green }) => green)) {
    // Behind a pipe an install may have failed unseen.
    for (const { text } of run.steps.filter((step) => !step.isPiped)) {
      for (const [name, version] of installedBy(text)) {
        if (!changes.has(name)) changes.set(name, { name, version, how: 'added', events: [run.call.event] });
      }
    }
  }
  return [...changes.values()];
}

function entriesIn(path: string, lines: string[]): Map<string, string> {
  const entry = entryForm(baseName(path));
  const found = new Map<string, string>();
  for (const line of lines) {
    for (const [, name = '', version = ''] of line.slice(0, 2_000).matchAll(entry)) {
      if (!notPackages.has(name)) found.set(name, version);
    }
  }
  return found;
}

const notPackages = new Set([
  'version',
  'name',
  'node',
  'npm',
  'edition',
  'rust-version',
  'python',
  'license',
  'type',
  'main',
]);

function entryForm(manifest: string): RegExp {
  if (manifest === 'package.json' || manifest === 'composer.json') {
    return /"((?:@[\w.-]+\/)?[\w.-]+)":\s*"((?:[\^~]|[<>]=?\s?)?v?\d[\w.+-]*|workspace:[^"]*|latest|\*)"/g;
  }
  if (manifest.endsWith('.txt') || manifest === 'Pipfile')
    return /^([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*((?:[=~<>!]=?)\s*[\d][\w.*]*)?\s*$/g;
  if (manifest === 'go.mod') return /^(?:require\s+)?([\w.-]+\.[\w./-]+)\s+(v\d\S*)/g;
  if (manifest === 'pyproject.toml')
    return /["']([A-Za-z][\w.-]*)(?:\[[^\]]*\])?\s*((?:[=~<>!]=?)[^"']+)["']/g;
  return /^([A-Za-z][\w-]*)\s*=\s*(?:"([\^~]?\d[^"]*)"|\{[^}]*version\s*=\s*"([^"]+)")/g;
}

/** The word after such an option is no package. */
const takesValue =
  /^(?:-[FGEprcieCw]|--(?:features|filter|workspace|group|extras?|package|registry|index-url|extra-index-url|requirement|constraint|editable|git|branch|tag|rev|path|prefix|target))$/;

function installedBy(command: string): [string, string][] {
  const words = installs.exec(command)?.[1]?.split(' ') ?? [];
  return words
    .filter(
      (word, at) =>
        !takesValue.test(words[at - 1] ?? '') &&
        /^(?:@[\w.-]+\/)?[A-Za-z][\w.-]*(?:@[\w.^~-]+|[=~<>]=[\w.]+)?$/.test(word) &&
        !word.endsWith('.txt'),
    )
    .map((word) => {
      const [, name = word, version = ''] = /^(@?[^@=~<>]+)(?:@|[=~<>]=)?(.*)$/.exec(word) ?? [];
      return [name, version];
    });
}
