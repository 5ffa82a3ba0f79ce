import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const ROOT = `package cmd

import "github.com/spf13/cobra"

func newRoot() *cobra.Command {
	root := &cobra.Command{Use: "shipctl"}
	root.PersistentFlags().String("region", "us-east-1", "AWS region")
	root.PersistentFlags().String("registry", "", "image registry")
	root.PersistentFlags().String("cluster", "default", "target cluster")
	root.AddCommand(newDeploy(), newRollback(), newLogs())
	return root
}
`;

const RESOLVE = `package config

import (
	"os"

	"github.com/spf13/pflag"
)

// Resolve answers the value of one setting: flag, environment, profile, default.
func Resolve(flags *pflag.FlagSet, name string, profile Profile) string {
	if v, _ := flags.GetString(name); v != "" {
		return v
	}
	if v := os.Getenv(envName(name)); v != "" {
		return v
	}
	return profile.get(name)
}
`;

const PROFILE = `package config

import "github.com/BurntSushi/toml"

type Profile struct {
	Region   string \`toml:"region"\`
	Registry string \`toml:"registry"\`
	Cluster  string \`toml:"cluster"\`
}

func Load(path, name string) (Profile, error) {
	var file map[string]Profile
	if _, err := toml.DecodeFile(path, &file); err != nil {
		return Profile{}, err
	}
	return file[name], nil
}
`;

const GO = `#!/bin/sh
case "$*" in
  *keyring*) cat <<'OUT'
--- FAIL: TestKeyringInRunner (0.01s)
    keyring_test.go:14: set: The name org.freedesktop.secrets was not provided by any .service files
FAIL
FAIL	example.org/shipctl/spike/keyring	0.018s
OUT
  exit 1 ;;
esac
if ! grep -q 'Changed(name)' internal/config/resolve.go; then
  cat <<'OUT'
=== RUN   TestProfileBeatsDefault
    resolve_test.go:31: region = "us-east-1", want "eu-west-1"
--- FAIL: TestProfileBeatsDefault (0.00s)
=== RUN   TestFlagBeatsProfile
--- PASS: TestFlagBeatsProfile (0.00s)
FAIL
FAIL	example.org/shipctl/internal/config	0.006s
OUT
  exit 1
fi
echo "ok  	example.org/shipctl/cmd	0.214s"
echo "ok  	example.org/shipctl/internal/config	0.009s"
`;

export const shipctlProfilesEn: SurveySession = {
  name: 'shipctl-profiles-en',
  about: 'A feature over eight prompts; the person has one command taken out again.',
  kind: 'feature',
  language: 'en',
  ecosystem: 'go',
  files: {
    'cmd/root.go': ROOT,
    'cmd/deploy.go':
      'package cmd\n\nfunc newDeploy() *cobra.Command { return &cobra.Command{Use: "deploy"} }\n',
    'internal/config/config.go':
      'package config\n\nfunc envName(name string) string { return "SHIPCTL_" + upper(name) }\n',
    'CHANGELOG.md': '# Changelog\n\n## Unreleased\n',
    'spike/keyring/keyring_test.go': 'package keyring\n',
    'go.mod': 'module example.org/shipctl\n\ngo 1.22\n',
  },
  programs: { go: GO },
  script(projectDir) {
    const { run, fail, read, edit, write } = callsIn(projectDir);
    return {
      main: [
        [read('cmd/root.go'), read('internal/config/config.go'), read('cmd/deploy.go')],
        [
          say(
            'Plan before I touch anything: a TOML file `~/.config/shipctl/profiles.toml` with one table per profile, chosen with `--profile` or `SHIPCTL_PROFILE`. Values resolve as flag > env > profile > built-in default. OK with that order?',
          ),
        ],
        [
          write('internal/config/profile.go', PROFILE),
          write('internal/config/resolve.go', RESOLVE),
          edit(
            'cmd/root.go',
            '	root.AddCommand',
            '	root.PersistentFlags().String("profile", "", "profile to use")\n	root.AddCommand',
          ),
          write(
            'internal/config/resolve_test.go',
            'package config\n\nfunc TestProfileBeatsDefault(t *testing.T) {}\n',
          ),
        ],
        [fail('go test ./...', 'Run the tests', 'want "eu-west-1"')],
        [
          say(
            'A profile never wins over the built-in default: pflag reports a default like `us-east-1` as the value of the flag, so a non-empty check takes it for something the user typed. It has to be `flags.Changed(name)`.',
          ),
          edit(
            'internal/config/resolve.go',
            '	if v, _ := flags.GetString(name); v != "" {\n		return v\n	}',
            '	if flags.Changed(name) {\n		v, _ := flags.GetString(name)\n		return v\n	}',
          ),
          run('go test ./...', 'Run the tests', 'ok'),
        ],
        [
          say(
            'Profiles work: `shipctl deploy --profile eu`. `--profile` beats `SHIPCTL_PROFILE`. Whether a flag was given is asked with `flags.Changed`, because pflag defaults look like typed values otherwise.',
          ),
        ],
        [
          say('Let me try the keyring in the runner image before I promise anything.'),
          fail('go test ./spike/keyring', 'Keyring in the runner image', 'org.freedesktop.secrets'),
        ],
        [
          say(
            'The keychain works on laptops but not in our CI runners: go-keyring needs a D-Bus secret service and fails with "org.freedesktop.secrets was not provided". A file fallback would mean two code paths for secrets. Your call: env only, or keychain plus fallback?',
          ),
        ],
        [
          edit(
            'internal/config/profile.go',
            '	return file[name], nil',
            '	if file[name].Token != "" {\n		return Profile{}, errTokenInProfile\n	}\n	return file[name], nil',
          ),
          edit(
            'internal/config/profile.go',
            '	Cluster  string `toml:"cluster"`',
            '	Cluster  string `toml:"cluster"`\n	Token    string `toml:"token"`',
          ),
          run('rm -r spike/keyring && go test ./...', 'Drop the spike, run the tests', 'ok'),
        ],
        [
          say(
            'Done. The token is read from `SHIPCTL_TOKEN` only, and a profile with a `token` key is refused with a message that says where to put it. Keyring spike deleted.',
          ),
        ],
        [
          read('internal/config/profile.go'),
          edit(
            'internal/config/profile.go',
            '	if _, err := toml.DecodeFile(path, &file); err != nil {\n		return Profile{}, err\n	}',
            '	meta, err := toml.DecodeFile(path, &file)\n	if err != nil {\n		return Profile{}, err\n	}\n	if unknown := meta.Undecoded(); len(unknown) > 0 {\n		return Profile{}, unknownKeys(unknown)\n	}',
          ),
          run('go test ./...', 'Run the tests', 'ok'),
        ],
        [
          say(
            'Unknown keys in a profile are an error now (`meta.Undecoded()`), with the line: `profiles.toml: unknown key "regoin" in [eu]`.',
          ),
        ],
        [
          write('cmd/profile.go', 'package cmd\n\nfunc newProfileUse() *cobra.Command { return nil }\n'),
          edit('cmd/root.go', 'newLogs())', 'newLogs(), newProfileUse())'),
          run('go test ./...', 'Run the tests', 'ok'),
        ],
        [
          say(
            '`shipctl profile use eu` now writes `current = "eu"` and every later command picks that profile up.',
          ),
        ],
        [
          run('rm cmd/profile.go', 'Remove the command'),
          edit('cmd/root.go', 'newLogs(), newProfileUse())', 'newLogs())'),
          run('go test ./... && git status --short', 'Run the tests', 'ok'),
        ],
        [say('Removed. The profile comes from `--profile` or `SHIPCTL_PROFILE`, there is no sticky state.')],
        [
          run('git status --short && git diff', 'What will be committed', 'profile'),
          read('CHANGELOG.md'),
          edit(
            'CHANGELOG.md',
            '## Unreleased\n',
            '## Unreleased\n\n- Profiles: `--profile`, `SHIPCTL_PROFILE`\n',
          ),
          run(
            'git add -A && git commit -qm "feat: profiles" && git log --oneline -1',
            'Commit',
            'feat: profiles',
          ),
        ],
        [say('Committed as `feat: profiles`.')],
      ],
    };
  },
  prompts: [
    'add profiles to shipctl so i stop typing --region --registry --cluster all day. ask before coding if anything is unclear',
    'order is fine, and --profile beats the env one obviously. go',
    'what about the api token, can that live in the os keychain?',
    'env only then. never in the profile file, people commit their dotfiles. refuse a profile that has one',
    'also a typo in a key must be an error, last week someone had regoin = "eu-west-1" in the old tool and it happily deployed to us-east',
    "and a `profile use` so it's remembered between calls?",
    "hm no, tried it for 5 min and take it out again. a sticky profile is exactly how you deploy to prod thinking you're on staging. explicit every time",
    'good. changelog + commit, conventional commits please',
  ],
  expects: {
    essentials: [
      {
        type: ['decision', 'how-it-works', 'feature', 'preference'],
        says: [/flag > env > profile/],
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works', 'feature'],
        says: [/Changed/, /pflag|default/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/keychain|keyring/, /D-Bus|freedesktop|CI runners/],
        prompt: 3,
      },
      {
        type: ['decision', 'preference', 'gotcha', 'change', 'feature'],
        says: [/dotfiles|SHIPCTL_TOKEN/, /never|only|refuse/],
        prompt: 4,
      },
      {
        type: ['decision', 'preference', 'gotcha', 'change', 'feature'],
        says: [/typo|unknown key/, /error/],
        prompt: 5,
      },
      {
        type: ['decision', 'preference', 'gotcha', 'change'],
        says: [/sticky/],
        prompt: 7,
      },
    ],
    niceToHave: [
      { type: ['feature', 'change', 'how-it-works', 'decision'], says: [/--profile/, /SHIPCTL_PROFILE/] },
      { type: ['preference', 'decision'], says: [/conventional commits/], prompt: 8 },
      { type: ['preference'], says: [/ask before coding/], prompt: 1 },
    ],
    summaries: [
      { prompt: 1, request: ['profiles'] },
      { prompt: 2, optional: true, learned: [/Changed|pflag/], completed: [/profile/] },
      { prompt: 3, request: ['keychain'], learned: [/D-Bus|freedesktop|CI runners/] },
      { prompt: 4, request: ['env only'], completed: [/SHIPCTL_TOKEN|token/] },
      { prompt: 5, request: ['typo'], completed: [/Unknown keys|Undecoded/] },
      { prompt: 6, optional: true },
      { prompt: 7, request: ['take it out'], completed: [/Removed|sticky/] },
      { prompt: 8, optional: true },
    ],
    noise: ['Let me try the keyring', 'before I promise anything'],
    untrue: [/now writes `?current/, /every later command picks/, /tokens? (is|are) stored in the keychain/],
    followUps: [
      {
        asks: 'customers want `shipctl login` to save their credential somewhere so they do not export it each time. implement it with the system keychain',
        says: [/D-Bus|freedesktop|CI runners/],
      },
      {
        asks: 'add a --namespace option with default "default" that can also be set in profiles.toml',
        says: [/Changed/],
      },
      {
        asks: 'feature request: remember the last used profile so that deploy works without arguments',
        says: [/sticky/],
      },
      {
        asks: 'a user complains that shipctl rejects his profile because of an extra key from a newer version. relax the parser?',
        says: [/typo|unknown key/, /error/],
      },
    ],
    unrelated: [
      'shipctl logs --follow drops the last lines when the pod ends, have a look',
      'bump the github actions in .github/workflows to node 20 versions',
    ],
  },
};
