import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const OPTIONS = 'src/Options.hs';
const FILTER = 'src/Filter.hs';
const SPEC = 'test/FilterSpec.hs';

export const haskellSinceFlag: SurveySession = {
  name: 'haskell since flag',
  about: 'A command-line filter by time, for durations and dates.',
  kind: 'feature',
  language: 'en',
  ecosystem: 'haskell',
  files: {
    'tidelog.cabal': `cabal-version: 3.0
name: tidelog
version: 0.4.0
library
  exposed-modules: Options, Filter
  build-depends: base, time, optparse-applicative, text
`,
    [OPTIONS]: `module Options (Options (..), options) where

import Options.Applicative

data Options = Options
  { optFile :: FilePath
  , optStation :: Maybe String
  }

options :: Parser Options
options =
  Options
    <$> strArgument (metavar "FILE")
    <*> optional (strOption (long "station"))
`,
    [FILTER]: `module Filter (keep) where

import Options (Options (..))
import Reading (Reading (..))

keep :: Options -> Reading -> Bool
keep o r = maybe True (== station r) (optStation o)
`,
    'src/Reading.hs': `module Reading (Reading (..)) where

import Data.Time (UTCTime)

data Reading = Reading {station :: String, takenAt :: UTCTime, level :: Double}
`,
  },
  programs: {
    cabal: `#!/bin/sh
if ! grep -q NominalDiffTime src/Filter.hs; then
  echo 'src/Filter.hs:9:12: error: [GHC-83865] Couldn'"'"'t match expected type UTCTime with actual type Day'
  exit 1
fi
echo '14 examples, 0 failures'
`,
  },
  prompts: [
    'tidelog needs a --since option so I can say --since 6h or --since 2d, and also --since 2026-03-01. Readings older than that are skipped.',
    'great, what about --until?',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('Let me see how options and the filter fit together.'),
          read(OPTIONS),
          read(FILTER),
          read('src/Reading.hs'),
        ],
        [
          edit(
            OPTIONS,
            '  , optStation :: Maybe String\n',
            '  , optStation :: Maybe String\n  , optSince :: Maybe Since\n',
          ),
          edit(
            OPTIONS,
            '    <*> optional (strOption (long "station"))\n',
            '    <*> optional (strOption (long "station"))\n    <*> optional (option (eitherReader readSince) (long "since"))\n\ndata Since = Ago Integer | On Day\n\nreadSince :: String -> Either String Since\nreadSince text = maybe (Left "neither a duration nor a date") Right (ago text <|> On <$> iso text)\n',
          ),
          edit(FILTER, 'keep :: Options -> Reading -> Bool', 'keep :: Day -> Options -> Reading -> Bool'),
        ],
        [fail('cabal test', 'Build and test', 'GHC-83865')],
        [
          say('A Day is too coarse for hours. I pass the current time in and compare UTCTime.'),
          write(
            FILTER,
            `module Filter (keep, threshold) where

import Data.Time (LocalTime (..), NominalDiffTime, TimeZone, UTCTime, addUTCTime, localTimeToUTC, midnight)
import Options (Options (..), Since (..))
import Reading (Reading (..))

keep :: Maybe UTCTime -> Options -> Reading -> Bool
keep from o r = maybe True (== station r) (optStation o) && maybe True (<= takenAt r) from

-- | The moment that --since stands for.
threshold :: TimeZone -> UTCTime -> Since -> UTCTime
threshold _ now (Ago seconds) = addUTCTime (negate (fromInteger seconds :: NominalDiffTime)) now
threshold zone _ (On day) = localTimeToUTC zone (LocalTime day midnight)
`,
          ),
          write(
            SPEC,
            `module FilterSpec (spec) where

import Filter (threshold)
import Test.Hspec

spec :: Spec
spec = describe "threshold" $ do
  it "takes six hours off" $ threshold utc noon (Ago 21600) \`shouldBe\` sixInTheMorning
  it "starts a date at local midnight" $ threshold cet noon (On march1) \`shouldBe\` elevenPmUtc
`,
          ),
        ],
        [run('cabal test', 'Build and test', '14 examples, 0 failures')],
        [
          say(`\`--since\` works with \`m\`, \`h\`, \`d\` and \`w\`, and with ISO dates. Three things about how it behaves:

- A plain date means midnight in the local time zone of the machine, since people at the harbour office think in local time. Readings themselves stay in UTC.
- The bound is inclusive: a reading taken exactly at the threshold is kept.
- \`threshold\` is computed once at start and handed to \`keep\`, so the filter is pure and a long run with \`tail -f\` does not slide its window.

I went for a small hand-written parser instead of adding \`time-parsers\`, because that package still has an upper bound of \`base < 4.19\` and we build with GHC 9.10.

\`d\` is always 24 hours, also on the days the clocks change.`),
        ],
        [read('tidelog.cabal')],
        [
          say(
            'Not there yet, and I would not add it blindly: readings arrive out of order from the buoys, up to 40 minutes late, so with an upper bound we could not stop reading at the first newer line. It would need to scan the whole file like --since does. If that is fine, it is twenty lines: the same `Since` type and a second `threshold`, exclusive this time so that adjacent ranges do not overlap.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      { type: 'feature', says: ['--since', /date|ISO/], files: [FILTER, OPTIONS], prompt: 1 },
      { type: ['decision', 'how-it-works', 'feature', 'discovery'], says: [/midnight/, /local/], prompt: 1 },
      {
        type: 'decision',
        says: ['time-parsers', /base < 4\.19|GHC 9\.10|upper bound|hand-written/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha', 'decision'],
        says: [/out of order|late/, /buoys|--until|upper bound/],
        prompt: 2,
      },
    ],
    niceToHave: [
      {
        type: ['how-it-works', 'feature', 'decision', 'discovery'],
        says: [/once at start|does not slide|pure/, 'threshold'],
      },
      { type: ['how-it-works', 'feature', 'gotcha', 'discovery'], says: [/inclusive/] },
      { type: ['gotcha', 'how-it-works', 'discovery', 'feature'], says: [/24 hours/, /clocks/] },
    ],
    summaries: [
      { prompt: 1, request: ['--since'], completed: ['--since'], filesModified: [OPTIONS, FILTER, SPEC] },
      { prompt: 2, request: ['--until'], learned: [/out of order|40 minutes/] },
    ],
    noise: ['Let me see how options', 'GHC-83865', '14 examples', 'great, what about'],
    untrue: [/--until (works|is implemented|was added|has been added)/, /compares? (a )?Days?\b/],
    followUps: [
      { asks: 'does --since 2026-05-01 start at UTC midnight?', says: [/local/] },
      {
        asks: 'can we pull in a library for parsing durations instead of our own code?',
        says: ['time-parsers'],
      },
      {
        asks: 'user reports the readings window is off by one hour after the switch to summer time',
        says: [/24 hours|clocks/],
      },
      { asks: 'add --until to tidelog', says: [/out of order|late/, /exclusive/] },
      {
        asks: 'can the reader stop early once measurements get newer than the range?',
        says: [/out of order|40 minutes/],
      },
    ],
    unrelated: [
      'set up a GitHub release workflow with static binaries',
      'colour the station names in the output',
      'bump the copyright year in LICENSE',
    ],
  },
};
