/** A path as people of the project write it: from the project's folder on. */
export function inProject(path: string, folder: string): string {
  const plain = path.replaceAll('\\', '/');
  const base = folder.replaceAll('\\', '/').replace(/\/+$/, '');
  if (base !== '' && plain.startsWith(`${base}/`)) return plain.slice(base.length + 1);
  return plain.replace(/^\.\//, '');
}

/** The project's folder taken out of a line of output. */
export function withoutFolder(line: string, folder: string): string {
  const base = folder.replace(/[/\\]+$/, '');
  return base === ''
    ? line
    : line.replaceAll(`file://${base}/`, '').replaceAll(`${base}/`, '').replaceAll(base, '.');
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export type FileKind = 'test' | 'docs' | 'manifest' | 'lock' | 'config' | 'source';

const lockFiles =
  /(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|go\.sum|Gemfile\.lock|composer\.lock)$/;
const manifests =
  /(?:^|\/)(?:package\.json|requirements[\w.-]*\.txt|pyproject\.toml|Pipfile|Cargo\.toml|go\.mod|Gemfile|composer\.json|pom\.xml|build\.gradle(?:\.kts)?)$/;
const tests =
  /(?:^|\/)(?:tests?|__tests__|spec|e2e)\/|[._-](?:test|spec)\.[a-z]+$|(?:^|\/)test_[^/]+\.py$|_test\.(?:go|py|rb)$/i;
const docs = /\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)(?:docs?|LICENSE|CHANGELOG)(?:\/|$)/i;
const config =
  /\.(?:ya?ml|toml|ini|cfg|conf|env|properties|editorconfig)$|(?:^|\/)\.[\w.-]+(?:rc|ignore|attributes)?(?:\.\w+)?$|(?:^|\/)(?:Dockerfile|Makefile|Procfile|Caddyfile)|(?:^|\/)[\w.-]*(?:config|rc|settings)\.(?:jsonc?|[cm]?[jt]s)$|(?:^|\/)(?:tsconfig|biome|renovate|vercel|turbo|nx)[\w.-]*\.jsonc?$|(?:^|\/)config\/[^/]+$|(?:^|\/)\.(?:github|vscode|circleci|husky)\//i;

export function kindOfFile(path: string): FileKind {
  if (lockFiles.test(path)) return 'lock';
  if (manifests.test(path)) return 'manifest';
  if (tests.test(path)) return 'test';
  if (config.test(path)) return 'config';
  return docs.test(path) ? 'docs' : 'source';
}
