import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const FLAKE = 'flake.nix';

export const nixTwoOpensslEn: SurveySession = {
  name: 'nix-two-openssl-en',
  about:
    'Questions only: why the dev shell has another openssl than the release build, and whether the patch in nix/patches is still needed.',
  kind: 'question',
  language: 'en',
  ecosystem: 'nix',
  files: {
    [FLAKE]: `{
  inputs = {
    nixpkgs.url = "github:NixOS/nixpkgs/nixos-23.11";
    devenv.url = "github:cachix/devenv";
    flake-utils.url = "github:numtide/flake-utils";
  };

  outputs = { self, nixpkgs, devenv, flake-utils }:
    flake-utils.lib.eachDefaultSystem (system:
      let pkgs = import nixpkgs { inherit system; overlays = [ (import ./nix/overlay.nix) ]; };
      in {
        packages.default = pkgs.callPackage ./nix/gateway.nix { };
        devShells.default = devenv.lib.mkShell { inputs = { inherit nixpkgs; }; modules = [ ./nix/shell.nix ]; };
      });
}
`,
    'flake.lock': `${JSON.stringify(
      {
        nodes: {
          devenv: { inputs: { nixpkgs: 'nixpkgs' }, locked: { rev: '1a2b3c4', type: 'github' } },
          nixpkgs: { locked: { rev: '9c4b7e1', ref: 'nixpkgs-unstable', type: 'github' } },
          nixpkgs_2: { locked: { rev: '205fd42', ref: 'nixos-23.11', type: 'github' } },
          root: { inputs: { devenv: 'devenv', nixpkgs: 'nixpkgs_2' } },
        },
        version: 7,
      },
      null,
      2,
    )}\n`,
    'nix/overlay.nix': `final: prev: {
  openssl = prev.openssl.overrideAttrs (old: {
    # Old HSMs send a zero-length session ticket. Fixed upstream in 3.2.
    patches = (old.patches or [ ]) ++ [ ./patches/empty-ticket.patch ];
  });
}
`,
    'nix/shell.nix': '{ pkgs, ... }: { packages = [ pkgs.openssl pkgs.go ]; }\n',
    'nix/gateway.nix':
      '{ buildGoModule, openssl }: buildGoModule { pname = "gateway"; buildInputs = [ openssl ]; }\n',
    'nix/patches/empty-ticket.patch': '--- a/ssl/statem/statem_clnt.c\n+++ b/ssl/statem/statem_clnt.c\n',
  },
  programs: {
    nix: `#!/bin/sh
case "$*" in
  *"develop"*) echo 'OpenSSL 3.3.1 4 Jun 2024' ;;
  *"eval"*) echo '"3.0.13"' ;;
  *) exit 1 ;;
esac
`,
  },
  prompts: [
    "Don't change anything, I just want to understand this: `openssl version` in our dev shell says 3.3.1 but the gateway we ship links 3.0.13. Isn't a flake supposed to give me one of everything?",
    "Interesting. So do we still need nix/patches/empty-ticket.patch? Whoever added it left no date, and I'd like to know before we go to 24.05",
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [read(FLAKE), read('flake.lock'), read('nix/shell.nix')],
        [
          say('Confirming both numbers before explaining them.'),
          run('nix develop -c openssl version', 'openssl in the dev shell', '3.3.1'),
          run(
            'nix eval .#packages.x86_64-linux.default.buildInputs.openssl.version',
            'openssl of the package',
            '3.0.13',
          ),
        ],
        [
          say(`A flake pins everything, but it doesn't deduplicate. You have **two nixpkgs** in \`flake.lock\`:

| lock node | branch | who uses it |
|---|---|---|
| \`nixpkgs_2\` | nixos-23.11 | the root flake: \`packages.default\`, so what you ship (openssl 3.0.13) |
| \`nixpkgs\` | nixpkgs-unstable | devenv's own input, and through it the dev shell (openssl 3.3.1) |

Inputs of inputs are locked separately unless you say \`devenv.inputs.nixpkgs.follows = "nixpkgs"\`. Nobody does here, so devenv brings its own. My first guess was the overlay, but that only adds a patch and doesn't touch the version.

What follows from it in practice:

- TLS behaviour you test in the shell isn't what customers run. Anything that depends on openssl belongs in \`nix flake check\`, which builds against 23.11.
- The overlay is applied to the root \`pkgs\` only, so the shell's openssl is also **unpatched**.

Adding the \`follows\` line would fix it, at the price that devenv isn't tested against 23.11 by its authors and you lose its binary cache. As you asked, I haven't touched anything.`),
        ],
        [
          read('nix/overlay.nix'),
          run('git log --format="%h %ad %s" -- nix/patches', 'When the patch came', 'start'),
        ],
        [
          run(
            'nix eval .#packages.x86_64-linux.default.buildInputs.openssl.version',
            'Version that the patch is applied to',
            '3.0.13',
          ),
        ],
        [
          say(`Yes, for now. The comment in \`nix/overlay.nix\` says the bug (old HSMs sending a zero-length session ticket) is fixed upstream in 3.2, and you ship 3.0.13. Without the patch those HSMs can't connect.

For the move: **24.05 still has openssl 3.0.x as its default**, so the release upgrade alone doesn't make the patch obsolete. You can drop it only once the package uses \`openssl_3_2\` or newer.

The git history doesn't help, the patch came with the initial import. Hope that clears it up! Want me to draft the follows change as a separate PR?`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/two nixpkgs|nixpkgs_2|devenv/, /3\.3\.1|unstable|own/],
        prompt: 1,
      },
      {
        type: ['how-it-works', 'discovery', 'gotcha'],
        says: [/follows/],
        prompt: 1,
      },
      {
        type: ['discovery', 'how-it-works', 'gotcha'],
        says: [/patch/, /HSM|session ticket/, /3\.2/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: [/24\.05/, /3\.0/],
        prompt: 2,
      },
    ],
    niceToHave: [
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/overlay/, /unpatched|root/], prompt: 1 },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/flake check/], prompt: 1 },
      {
        type: ['gotcha', 'discovery', 'decision', 'how-it-works'],
        says: [/binary cache|not tested|isn't tested/],
        prompt: 1,
      },
    ],
    summaries: [
      { prompt: 1, request: [/3\.3\.1|openssl/], learned: [/nixpkgs/], filesRead: [FLAKE] },
      { prompt: 2, request: [/empty-ticket/], learned: [/3\.2|24\.05/], filesRead: ['nix/overlay.nix'] },
    ],
    noise: [
      'Confirming both numbers',
      'Hope that clears it up',
      'Want me to draft',
      "I haven't touched anything",
    ],
    untrue: [
      /(added|set) (the )?follows/,
      /patch (was|is|has been) (removed|dropped)/,
      /dev shell (uses|has|is on) (openssl )?3\.0\.13/,
      /patch is (obsolete|no longer needed)/,
    ],
    followUps: [
      {
        asks: 'handshake works on my laptop inside nix develop but fails in the shipped binary, how come?',
        says: [/nixpkgs/],
      },
      {
        asks: 'doing the 24.05 bump today, can I delete the openssl patch along the way?',
        says: [/3\.2|3\.0/],
      },
      { asks: 'is there a reason devenv has its own pin in the lock file', says: [/follows/] },
      { asks: 'what is that ticket patch even for', says: [/HSM|session ticket/] },
    ],
    unrelated: [
      'add a /healthz endpoint to the gateway',
      'rename the metrics prefix from gw_ to gateway_',
      'write a script that rotates the access logs',
    ],
  },
};
