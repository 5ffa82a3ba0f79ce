/** Words that can only be names: of code, files, options, errors, packages, versions. */
const NAMES = [
  /(?:[\w@.~-]+\/)+[\w@.*-]+/g,
  /\b[\w-]+\.(?:[cm]?[jt]sx?|py|rs|go|rb|java|kts?|cs|cpp|cc|c|h|hpp|php|swift|exs?|sh|sql|css|scss|html|vue|svelte|md|ya?ml|toml|json|lock|xml|gradle|tf|tfvars|proto|env|cfg|conf|ini|txt|csv)\b/gi,
  /\b[a-z]+[A-Z]\w*\b/g,
  /\b[A-Z]\w*[a-z][A-Z]\w*\b/g,
  // URLSession, but not the plural of an abbreviation.
  /\b[A-Z]{3,}[a-z]{2,}\w*\b/g,
  /\b\w+(?:::|->|#)\w+[!?]?/g,
  /\b\w+\(\)/g,
  /\b[a-z_]\w+\.[A-Za-z_]\w+(?:\.\w+)*\b/g,
  /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g,
  /\b[a-z]\w*_\w+\b/g,
  /(?<![\w-])--?[a-z][\w-]+/g,
  /\b[A-Z]\w+(?:Error|Exception)\b|\bE[A-Z]{4,}\b/g,
  /\b[\w.-]+@\d[\w.]*\b|\bv?\d+\.\d+(?:\.\d+)*(?:[-+]\w+)?\b/g,
  /#\d+\b|\b[A-Z]{2,}-\d+\b/g,
];

/** The names in a text, with those in code spans, each once. */
export function findNames(text: string, code: string[] = []): string[] {
  const found = new Set(code.map((each) => each.trim()).filter((each) => each !== ''));
  for (const pattern of NAMES) for (const [name] of text.matchAll(pattern)) found.add(name);
  return [...found];
}
