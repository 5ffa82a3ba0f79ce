import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const TRAIN = 'gearbox/train.py';
const LABELS = 'gearbox/labels.py';
const METRICS = 'gearbox/metrics.py';
const PREDICT = 'serve/predict.py';
const DATA = 'docs/data.md';

const UV = `#!/bin/sh
s=$(cat)
case "$s" in
  *GroupKFold*) echo "by turbine: AUC 0.71, folds 0.63 0.69 0.70 0.74 0.79" ;;
  *make_pipeline*) echo "scaler inside: AUC 0.968, scaler outside: AUC 0.968" ;;
  *nunique*) echo "turbines 140, with a failure 23, rows 6120441" ;;
  *) exit 1 ;;
esac
`;

const python = (code: string) => `uv run python - <<'EOF'\n${code}\nEOF`;

export const gearboxReviewEn: SurveySession = {
  name: 'gearbox review en',
  about:
    'A failure model is reviewed and measured, nothing is changed; one finding is intended, and the weights of two turn round.',
  kind: 'review',
  language: 'en',
  ecosystem: 'python',
  files: {
    [TRAIN]: `import joblib
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from .features import FEATURES, build
from .labels import fails_within
from .metrics import best_threshold


def train(path="data/scada.parquet"):
    df = build(pd.read_parquet(path))
    df = df[df.power_kw >= 0]
    y = fails_within(df, days=14)
    X = StandardScaler().fit_transform(df[FEATURES])
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, stratify=y, random_state=7)
    model = HistGradientBoostingClassifier().fit(X_train, y_train)
    threshold = best_threshold(y_test, model.predict_proba(X_test)[:, 1])
    joblib.dump((model, threshold), "gearbox.joblib")
`,
    'gearbox/features.py': `FEATURES = ["vib_rms", "vib_kurtosis", "oil_temp", "rotor_rpm", "power_kw"]


def build(df):
    df["vib_kurtosis"] = df.groupby("turbine_id").vib_raw.transform(lambda s: s.rolling(6).kurt())
    return df
`,
    [LABELS]: `import pandas as pd


def fails_within(df, days):
    log = pd.read_csv("data/maintenance.csv", parse_dates=["replaced_at"])
    merged = df.merge(log, on="turbine_id", how="left")
    return (merged.replaced_at - merged.ts).between(pd.Timedelta(0), pd.Timedelta(days=days))
`,
    [METRICS]: `import numpy as np
from sklearn.metrics import f1_score


def best_threshold(y, proba):
    grid = np.linspace(0.05, 0.95, 91)
    return max(grid, key=lambda t: f1_score(y, proba > t))
`,
    [PREDICT]: `import joblib
from sklearn.preprocessing import StandardScaler

from gearbox.features import FEATURES, build

model, threshold = joblib.load("gearbox.joblib")


def predict(batch):
    X = StandardScaler().fit_transform(build(batch)[FEATURES])
    return model.predict_proba(X)[:, 1] > threshold
`,
    [DATA]: `# Data

- data/scada.parquet: one row per turbine and 10 minutes, column ts in local time (Europe/Copenhagen)
- data/maintenance.csv: gearbox replacements, replaced_at in UTC
`,
  },
  programs: { uv: UV },
  prompts: [
    'please review the gearbox failure model (gearbox/ and serve/) before we show it to the customer on the 24th. read only, jonas fixes things himself. the board slides say AUC 0.97 and honestly that smells too good',
    "4 is deliberate: below 0 kW the rotor is parked and the machine draws from the grid, the vibration sensors only pick up wind then. Henrik (field service) asked for that filter, don't list it again. Agree with all the others. Can you put numbers on 1 and 2? throwaway code only, no files",
    'ouch. ok. jonas has exactly one day, what should he do in which order? fyi the service teams gave us their bar: at least 0.6 recall at one false alarm per turbine per month, below that they dont drive out',
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [
          say("Sure, read only. I'll go from the training script outwards."),
          read(TRAIN),
          read('gearbox/features.py'),
          read(LABELS),
          read(METRICS),
        ],
        [
          say(
            'The split is the first thing that catches my eye, so the next stop is what happens to the same objects at serving time.',
          ),
          read(PREDICT),
          read(DATA),
          run(
            'grep -rnE "random_state|GroupKFold|turbine_id" gearbox',
            'Anything that groups by turbine',
            'random_state=7',
          ),
        ],
        [
          say(`Here is my review. Nothing in the repository was touched.

**Leakage**
1. **The scaler sees the test rows** (\`train.py\`). \`StandardScaler\` is fitted on all rows before the split. I consider this the most serious leak, mean and variance of the test period end up in training.
2. **Rows are split at random** (\`train.py\`). Neighbouring 10-minute rows of one failing gearbox land on both sides, so the model can recognise the turbine instead of the damage. I'd expect this to be worth two or three points of AUC.
3. **The threshold is picked on the test set.** \`best_threshold\` gets \`y_test\`, so precision and recall in the report are too good by construction.

**Data**
4. \`df[df.power_kw >= 0]\` throws away 11 % of the rows, and standby is where early wear would show up.
5. **Time zones** (\`labels.py\`). \`ts\` is local time, \`replaced_at\` is UTC; they are subtracted as they are. The label is off by one or two hours, which hardly matters against a window of 14 days.

**Serving**
6. **\`predict.py\` fits a scaler of its own** on whatever batch comes in. The score of a turbine therefore depends on which other turbines are in the batch, and a batch with a single turbine has every reading centred at zero. The training scaler is never saved.

The feature code itself is tidy, by the way; the rolling window is grouped by turbine as it should be. Happy to go deeper into any of these!`),
        ],
        [
          say('Good to know about 4, noted. Measuring now, both from stdin so that no file is written.'),
          run(
            python(`from sklearn.pipeline import make_pipeline
print(score(make_pipeline(StandardScaler(), model())), score(model()))`),
            'Scaler inside and outside of the split',
            'scaler inside: AUC 0.968',
          ),
          run(
            python(`from sklearn.model_selection import GroupKFold
print(cross_val(model(), groups=df.turbine_id, cv=GroupKFold(5)))`),
            'Split by turbine',
            'by turbine: AUC 0.71',
          ),
        ],
        [
          run(
            python('print(df.turbine_id.nunique(), df[y].turbine_id.nunique(), len(df))'),
            'How many turbines ever failed',
            'with a failure 23',
          ),
          run('git status --short | wc -l', 'Nothing written', '0'),
        ],
        [
          say(`Numbers:

| | AUC |
|---|---|
| as it is today | 0.968 |
| scaler fitted inside of the split | 0.968 |
| whole turbines held out (GroupKFold, 5 folds) | **0.71** (0.63 to 0.79) |

- The scaler costs nothing at all. Boosted trees only look at the order of the values, and scaling doesn't change the order.
- The split is everything. On turbines that the model has never seen it is at 0.71, and that is the situation at the customer's site.
- Only 23 of the 140 turbines ever had a failure, so each fold has four or five of them. That explains the wide spread; I would not quote a single figure without it.

So the 0.97 from the slides should not be shown on the 24th.`),
        ],
        [
          say(`For one day I'd suggest this to Jonas:

1. **Morning: the split.** \`GroupKFold\` by \`turbine_id\`, report mean and spread. Everything else is judged by that number, so it comes first.
2. **Then \`predict.py\`.** Put scaler and model into one \`Pipeline\` and dump that. It is the only defect that makes live scores wrong today, and it settles the scaler question on the way.
3. **Then the threshold**, on a validation fold. With the bar from the service teams F1 is the wrong target anyway: fix the alarms at one per turbine and month and read off the recall.
4. **The time zones can wait.**

An honest word: with 0.71 I doubt that the model reaches 0.6 recall at that alarm rate. I have not computed it. If it doesn't, more failures are needed rather than more tuning; the sister park in Esbjerg would be the obvious source.

Would you like me to draft the message to Jonas? Good luck on the 24th!`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/0\.71/, /turbine|GroupKFold/],
        prompt: 2,
      },
      {
        type: ['decision', 'preference', 'gotcha', 'how-it-works', 'discovery'],
        says: [/0 kW|power_kw/, /parked|deliberate|Henrik|pick up wind/],
        prompt: 2,
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/predict\.py/, /scaler/, /batch|never saved|live scores|of its own/],
      },
      {
        type: ['discovery', 'gotcha', 'bugfix'],
        says: [/threshold/, /test set|y_test|best_threshold|validation fold/],
      },
      {
        type: ['preference', 'decision', 'gotcha', 'how-it-works'],
        says: [/0\.6\b/, /recall/, /false alarm|alarm/],
        prompt: 3,
      },
      {
        type: ['discovery', 'gotcha', 'decision'],
        says: [/0\.97/, /slides|24th/],
      },
    ],
    niceToHave: [
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [/scal(er|ing)/, /costs nothing|order of the values|0\.968/],
        prompt: 2,
      },
      { type: ['discovery', 'gotcha'], says: [/23 of the 140|23/, /fail/] },
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/UTC/, /local time|label/] },
      { type: ['preference', 'decision'], says: [/jonas/, /himself|read only/], prompt: 1 },
      {
        type: ['decision', 'discovery', 'preference'],
        says: [/jonas|comes first|one day|morning/, /split|GroupKFold/],
        prompt: 3,
      },
      {
        type: ['discovery', 'gotcha', 'decision'],
        says: [/Esbjerg|more failures are needed|doubt that the model/],
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/review|gearbox/],
        learned: [/scaler|threshold|split|predict\.py/],
        filesRead: [TRAIN, PREDICT],
      },
      { prompt: 2, request: [/numbers on 1 and 2|deliberate/], learned: [/0\.71|0\.968/] },
      { prompt: 3, request: [/order|recall/] },
    ],
    noise: [
      "I'll go from the training script outwards",
      'Happy to go deeper into any of these',
      'Good to know about 4, noted',
      'Would you like me to draft the message',
      'Good luck on the 24th',
      'the next stop is',
      'throwaway code only',
    ],
    untrue: [
      /most serious leak(?![\s\S]*costs nothing)/,
      /two or three points/,
      /throws away 11(?![\s\S]*(Henrik|deliberate|parked))/,
      /early wear(?![\s\S]*(Henrik|deliberate|parked))/,
    ],
    followUps: [
      {
        asks: 'why do we filter out rows with negative power before training? looks like lost data to me',
        says: [/parked|Henrik|pick up wind|deliberate/],
      },
      {
        asks: 'which accuracy figure can I put in the offer for a new wind park?',
        says: [/0\.71/],
      },
      {
        asks: 'the same machine gets a different risk depending on what other machines I send along in the request, how come?',
        says: [/scaler/, /batch|predict\.py/],
      },
      {
        asks: 'how good must the alarms be so that the technicians actually go?',
        says: [/0\.6\b/, /recall/],
      },
      {
        asks: 'should I bother moving the normalisation into the cross validation, would it change the score?',
        says: [/0\.968|costs nothing|order of the values|settles the scaler/],
      },
    ],
    unrelated: [
      'write a dockerfile for the weather importer',
      'how do I pin the python version in a uv project?',
      'the map in the customer portal shows two parks at the same place, can you look into it',
    ],
  },
};
