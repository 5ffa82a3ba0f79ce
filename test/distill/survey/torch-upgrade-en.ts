import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const REQ = 'requirements.txt';
const LOAD = 'detector/checkpoint.py';
const TRANSFORMS = 'detector/transforms.py';
const METRICS = 'tests/golden_metrics.json';
const TRAIN = 'configs/train.yaml';
const CONVERT = 'scripts/resave_checkpoints.py';

export const torchUpgradeEn: SurveySession = {
  name: 'torch-upgrade-en',
  about:
    'Torch 2.1 to 2.6: weights_only breaks old checkpoints, mAP drops because Resize antialiases now, golden metrics must not be touched, batch size goes from 64 to 48; with a /compact on the way.',
  kind: 'upgrade',
  language: 'en',
  ecosystem: 'python',
  files: {
    [REQ]: 'torch==2.1.2\ntorchvision==0.16.2\nnumpy==1.26.4\n',
    [LOAD]: `import torch


def load(path):
    state = torch.load(path, map_location="cpu")
    return state["model"], state["args"]
`,
    [TRANSFORMS]: `from torchvision.transforms import v2


def eval_transform(size):
    return v2.Compose([v2.Resize(size), v2.ToDtype(None, scale=True)])
`,
    [METRICS]: '{ "map": 0.412, "tolerance": 0.001 }\n',
    [TRAIN]: 'batch_size: 64\namp: true\nlr: 0.0004\n',
    'scripts/eval.py': `import json
import pathlib
import sys

amp = "--fp32" not in sys.argv
requirements = pathlib.Path("requirements.txt").read_text()
transforms = pathlib.Path("detector/transforms.py").read_text()
new = "0.21" in requirements and "antialias=False" not in transforms
print(json.dumps({"map": 0.398 if new else 0.412, "amp": amp}))
`,
  },
  programs: {
    pytest: `#!/bin/sh
if grep -q 'torch==2.6' requirements.txt && ! grep -q 'add_safe_globals' detector/checkpoint.py; then
  echo 'FAILED tests/test_checkpoint.py::test_loads_release_checkpoint'
  echo 'E   _pickle.UnpicklingError: Weights only load failed. Unsupported global: argparse.Namespace'
  exit 1
fi
if grep -q 'torchvision==0.21' requirements.txt && ! grep -q 'antialias=False' detector/transforms.py; then
  echo 'FAILED tests/test_metrics.py::test_map_is_golden - assert abs(0.398 - 0.412) < 0.001'
  echo '1 failed, 23 passed'
  exit 1
fi
echo '24 passed in 8.14s'
`,
    pip: `#!/bin/sh
echo "Successfully installed torch-2.6.0 torchvision-0.21.0"
`,
    'nvidia-smi': `#!/bin/sh
echo '14987 MiB / 15360 MiB'
`,
  },
  prompts: [
    'Please upgrade torch from 2.1 to 2.6 (torchvision 0.21 with it). One step at a time, run the tests after each',
    'No weights_only=False please. We load checkpoints that partners send us, a pickle is code execution. Allow just what is needed, and for our own old ones write a script that re-saves them without the Namespace',
    '/compact',
    'map test is red now, 0.398 vs 0.412. Is that amp? Find out. And golden_metrics.json is off limits, nobody edits that to get a test green',
    'Keep the old behaviour then. The model was trained without antialiasing, we switch when we retrain in Q4. Also training OOMs on the T4s since the upgrade, try batch 32',
    'Hm 32 makes an epoch 50% slower. 48 was fine in my test, 14.9 of 15.3 GB. Take 48 and commit it all',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [read(REQ), read(LOAD), run('pytest -q', 'Baseline before the upgrade', '24 passed')],
        [
          say('Baseline is green. Bumping both pins.'),
          edit(REQ, 'torch==2.1.2\ntorchvision==0.16.2', 'torch==2.6.0\ntorchvision==0.21.0'),
        ],
        [run(`pip install -r ${REQ}`, 'Install', 'torch-2.6.0')],
        [fail('pytest -q', 'Tests after the bump', 'Weights only load failed')],
        [
          say(`The first thing that breaks is checkpoint loading:

- since torch 2.6 \`torch.load\` defaults to \`weights_only=True\`
- our release checkpoints store an \`argparse.Namespace\` under \`args\`, which that mode refuses

The quick fix is \`weights_only=False\` in \`detector/checkpoint.py\`. Shall I?`),
        ],
        [
          say("Makes sense, I'll allow the one class explicitly."),
          edit(
            LOAD,
            'import torch\n',
            'import argparse\n\nimport torch\n\ntorch.serialization.add_safe_globals([argparse.Namespace])\n',
          ),
          write(
            CONVERT,
            `"""Re-saves checkpoints with plain dict args, so that no class has to be allowed."""
import sys

import torch

import detector.checkpoint  # noqa: F401, allows argparse.Namespace

for path in sys.argv[1:]:
    state = torch.load(path, map_location="cpu")
    state["args"] = vars(state["args"])
    torch.save(state, path)
`,
          ),
        ],
        [fail('pytest -q', 'Tests', 'test_map_is_golden')],
        [
          say(
            '`add_safe_globals([argparse.Namespace])` makes the checkpoints load again without giving up weights_only, and `scripts/resave_checkpoints.py` turns the args of our own files into a plain dict. The allowance can go once all of them are re-saved. One test is still red: the mAP golden test.',
          ),
        ],
        [
          say('Testing the AMP theory directly: the same evaluation in fp32.'),
          run('python3 scripts/eval.py', 'Eval with AMP', '0.398'),
          run('python3 scripts/eval.py --fp32', 'Eval in fp32', '0.398'),
          read(TRANSFORMS),
        ],
        [
          say(
            'Not AMP: fp32 gives exactly the same 0.398. Next suspect is the preprocessing, so I pin the resize flag and measure again.',
          ),
          edit(TRANSFORMS, 'v2.Resize(size)', 'v2.Resize(size, antialias=False)'),
        ],
        [run('python3 scripts/eval.py', 'Eval without antialiasing', '0.412')],
        [
          say(
            "It's the resize. torchvision changed the default of `antialias` in `v2.Resize` to True (0.17), and the jump from 0.16 to 0.21 picked that up. With `antialias=False` mAP is back at 0.412 to the digit. AMP has nothing to do with it, and golden_metrics.json is untouched. Either keep `antialias=False`, or accept 0.398 until a retrain. Which one?",
          ),
        ],
        [read(TRAIN)],
        [edit(TRAIN, 'batch_size: 64', 'batch_size: 32')],
        [run('pytest -q', 'Tests', '24 passed')],
        [
          say(
            'Kept `antialias=False` in `eval_transform`, all 24 tests pass. Batch size is down to 32. I did not touch the learning rate; with half the batch you may want to scale it too.',
          ),
        ],
        [edit(TRAIN, 'batch_size: 32', 'batch_size: 48'), run('nvidia-smi', 'Memory in use', '14987 MiB')],
        [
          run(
            'git add -A && git commit -qm "build(deps): torch 2.6 and torchvision 0.21" && git log --oneline -1',
            'Commit',
            'torch 2.6',
          ),
        ],
        [
          say(
            'Batch size 48, committed. For the record, numpy stays at 1.26.4: the onnxruntime on the edge boxes is built against numpy 1 and breaks with 2.x. If you need anything else, just shout.',
          ),
        ],
      ],
      compact: [
        [
          say(
            '<analysis>Upgrade in progress.</analysis>\n<summary>\nTorch is at 2.6.0. Checkpoints load through add_safe_globals([argparse.Namespace]); weights_only=False is ruled out because partners send checkpoints. scripts/resave_checkpoints.py exists. test_map_is_golden is red: 0.398 instead of 0.412.\n</summary>',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['gotcha', 'discovery', 'bugfix'],
        says: [/weights_only/, /Namespace/],
      },
      {
        type: ['preference', 'decision'],
        says: [/weights_only=False/, /partners|code execution/],
        prompt: 2,
      },
      { type: 'preference', says: [/golden_metrics/], prompt: 3 },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/antialias/, /0\.398|0\.412/],
        prompt: 3,
      },
      {
        type: 'decision',
        says: [/antialias|old behaviour/, /Q4|retrain/],
        prompt: 4,
      },
      {
        type: ['decision', 'change'],
        says: [/48/, /batch/, /32|slower|T4|OOM|14\.9/],
        prompt: 5,
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/numpy/, /onnxruntime/],
        prompt: 5,
      },
    ],
    niceToHave: [
      { type: ['change', 'feature'], says: [/resave_checkpoints/], prompt: 2 },
      { type: ['discovery'], says: [/AMP/, /fp32/], prompt: 3 },
      { type: ['change'], says: [/torch.{0,4}2\.6/, /torchvision/] },
      { type: ['discovery', 'gotcha'], says: [/learning rate/], prompt: 4 },
    ],
    summaries: [
      { prompt: 1, request: [/torch/], learned: [/weights_only/], filesModified: [REQ] },
      {
        prompt: 2,
        request: [/weights_only/],
        completed: [/add_safe_globals|resave/],
        filesModified: [LOAD, CONVERT],
      },
      { prompt: 3, request: [/0\.398|amp/], learned: [/antialias/], filesModified: [TRANSFORMS] },
      { prompt: 4, request: [/old behaviour|batch 32/], completed: [/antialias|32/], filesModified: [TRAIN] },
      { prompt: 5, request: [/48/], completed: [/48/], filesModified: [TRAIN] },
    ],
    noise: ['Shall I?', 'Which one?', 'just shout', 'Bumping both pins', 'Testing the AMP theory directly'],
    untrue: [
      /AMP (causes|caused|is the (cause|reason)|lowers)/,
      /batch size (is|of) 64 (works|fits)/,
      /numpy (was |is )?(upgraded|bumped)/,
      /(updated|edited|changed) (the )?golden_metrics/,
    ],
    followUps: [
      {
        asks: 'partner checkpoint fails with Unsupported global, can I just turn the safe loading off?',
        says: [/code execution|partners/],
      },
      { asks: 'what batch size fits on the T4 machines?', says: [/48/] },
      {
        asks: 'why do we disable smoothing when scaling images down? looks like a mistake',
        says: [/antialias/],
      },
      {
        asks: 'my change shifts accuracy a tiny bit, ok to update the expected number in the test?',
        says: [/golden_metrics/],
      },
      { asks: 'can we finally move to numpy 2?', says: [/onnxruntime/] },
    ],
    unrelated: [
      'add a progress bar to the dataset download script',
      'dockerfile: run as a non-root user',
      'write docs for the labeling tool export format',
    ],
  },
};
