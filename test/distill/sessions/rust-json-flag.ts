import { callsIn, say } from '../calls.ts';
import type { DistillSession } from '../session.ts';

const MAIN = 'src/main.rs';
const REPORT = 'src/report.rs';
const CLI_TEST = 'tests/cli.rs';

export const rustJsonFlag: DistillSession = {
  name: 'rust json flag',
  about: 'A feature in Rust by an agent that cheers; the compiler refuses twice on the way.',
  files: {
    'Cargo.toml': `[package]
name = "dupes"
version = "0.4.1"
edition = "2021"

[dependencies]
clap = { version = "4", features = ["derive"] }
`,
    [MAIN]: `mod report;

use clap::Parser;

#[derive(Parser)]
struct Args {
    /// Folder to search.
    folder: std::path::PathBuf,
}

fn main() {
    let args = Args::parse();
    let groups = dupes::find(&args.folder);
    report::print(groups);
}
`,
    [REPORT]: `use crate::Group;

pub fn print(groups: Vec<Group>) {
    for group in groups {
        println!("{} bytes: {}", group.size, group.paths.join(", "));
    }
}
`,
    [CLI_TEST]: '#[test]\nfn prints_groups() {}\n',
  },
  prompts: ['add a --json flag so that I can pipe the result into jq'],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [
          say("Great idea! I'll explore the project structure first. 🚀"),
          run(
            'ls && cat Cargo.toml',
            'Look around',
            'Cargo.toml\nsrc\ntests\n[package]\nname = "dupes"\nversion = "0.4.1"',
          ),
          read(MAIN),
          read(REPORT),
          read(CLI_TEST),
        ],
        [
          say("Now I have a clear picture! Let's add serde first."),
          run(
            'cargo add serde --features derive && cargo add serde_json',
            'Add the dependencies',
            '      Adding serde v1.0.203 to dependencies\n             Features:\n             + derive\n      Adding serde_json v1.0.117 to dependencies',
          ),
        ],
        [
          edit(
            MAIN,
            '    folder: std::path::PathBuf,\n',
            '    folder: std::path::PathBuf,\n    /// Print one JSON array instead of text.\n    #[arg(long)]\n    json: bool,\n',
          ),
          edit(
            MAIN,
            '    report::print(groups);',
            '    if args.json { report::print_json(&groups) } else { report::print(groups) }\n    std::process::exit(if groups.is_empty() { 0 } else { 1 });',
          ),
          edit(
            REPORT,
            'pub fn print(groups: Vec<Group>) {',
            'pub fn print_json(groups: &[Group]) {\n    println!("{}", serde_json::to_string(groups).unwrap());\n}\n\npub fn print(groups: Vec<Group>) {',
          ),
        ],
        [
          fail(
            'cargo build',
            'Build',
            `error[E0382]: borrow of moved value: \`groups\`
  --> src/main.rs:19:27
   |
18 |     if args.json { report::print_json(&groups) } else { report::print(groups) }
   |                                                                       ------ value moved here
error: could not compile \`dupes\` (bin "dupes") due to 1 previous error`,
          ),
        ],
        [
          say('The borrow checker caught something! Easy fix: `print` should only borrow as well.'),
          edit(REPORT, 'pub fn print(groups: Vec<Group>) {', 'pub fn print(groups: &[Group]) {'),
          edit(MAIN, 'else { report::print(groups) }', 'else { report::print(&groups) }'),
        ],
        [
          fail(
            'cargo build',
            'Build again',
            'error[E0277]: the trait bound `Group: Serialize` is not satisfied\nerror: could not compile `dupes` (bin "dupes") due to 1 previous error',
          ),
        ],
        [
          run(
            "sed -i 's/#\\[derive(Debug)\\]/#[derive(Debug, serde::Serialize)]/' src/lib.rs",
            'Derive Serialize for Group',
            '',
          ),
          edit(
            CLI_TEST,
            '#[test]\nfn prints_groups() {}\n',
            '#[test]\nfn prints_groups() {}\n\n#[test]\nfn json_is_one_array() {\n    let out = run(&["--json", "tests/data"]);\n    assert!(serde_json::from_slice::<Vec<serde_json::Value>>(&out).is_ok());\n}\n',
          ),
        ],
        [
          run(
            'cargo test',
            'Run the tests',
            'running 14 tests\ntest json_is_one_array ... ok\ntest prints_groups ... ok\n\ntest result: ok. 14 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.31s',
          ),
          run(
            'cargo clippy -- -D warnings',
            'Lint',
            '    Finished `dev` profile [unoptimized + debuginfo] target(s) in 0.42s',
          ),
        ],
        [
          say(`Perfect! All 14 tests pass now! 🎉

I've successfully implemented the \`--json\` flag! Here's a summary of what I did:

### ✅ Changes
- ✅ **New flag** \`--json\` in \`${MAIN}\` prints one JSON array of groups (\`size\`, \`paths\`) to stdout
- ✅ **\`print_json()\`** in \`${REPORT}\` serializes the groups with \`serde_json\`
- ✅ **Exit code**: \`dupes\` now exits with 1 when duplicates were found, 0 otherwise, like \`grep\` the other way round
- ✅ **Test** \`json_is_one_array\` added

### ⚠️ Heads-up
Paths that are not valid UTF-8 make \`serde_json\` fail, and \`print_json\` panics on them because of an \`unwrap()\`.

You can now run \`dupes --json ~/Pictures | jq '.[0].paths'\`. Enjoy! 🦀`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: 'feature',
        says: ['--json', 'print_json', /JSON array|serde_json/],
        title: [/json/],
        files: [MAIN, REPORT],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery'], says: [/UTF-8/, /panic|unwrap|fail/] },
      { type: ['change', 'decision', 'gotcha'], says: [/exit code|exits with 1/] },
      { type: ['change', 'feature'], says: ['serde'], files: ['Cargo.toml'] },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['--json'],
        completed: ['--json', /print_json|JSON array/],
        filesRead: [MAIN],
        filesModified: [MAIN, REPORT, CLI_TEST],
      },
    ],
    noise: [
      '🎉',
      '🦀',
      'Enjoy',
      'Perfect!',
      'clear picture',
      'Great idea',
      /summary of what I did/,
      'borrow of moved value',
      /E0277/,
    ],
  },
};
