import { callsIn, say } from '../calls.ts';
import type { Step, SurveySession } from '../session.ts';

interface Filter {
  file: string;
  cls: string;
  halo: string;
  members?: string;
  /** What the agent says before it writes this one. */
  remark?: string;
}

const FILTERS: Filter[] = [
  {
    file: 'invert',
    cls: 'Invert',
    halo: '0',
    remark: 'Starting with the point operations, they need no border at all.',
  },
  { file: 'gamma', cls: 'Gamma', halo: '0', members: 'float gamma_ = 1.0f;' },
  {
    file: 'brightness',
    cls: 'Brightness',
    halo: '0',
    members: 'int delta_ = 0;',
  },
  {
    file: 'contrast',
    cls: 'Contrast',
    halo: '0',
    members: 'float gain_ = 1.0f;',
  },
  {
    file: 'threshold',
    cls: 'Threshold',
    halo: '0',
    members: 'int level_ = 128;',
  },
  { file: 'sepia', cls: 'Sepia', halo: '0' },
  {
    file: 'gaussian',
    cls: 'Gaussian',
    halo: 'static_cast<int>(std::ceil(3.0f * sigma_))',
    members: 'float sigma_ = 1.0f;\n  mutable std::vector<float> kernel_;',
    remark:
      'Careful with Gaussian: `kernel_` is built lazily in the first apply(), so `kernel_.size() / 2` would be 0 when the tiler asks before any run. The halo has to come from sigma: ceil(3 * sigma).',
  },
  { file: 'box', cls: 'Box', halo: 'radius_', members: 'int radius_ = 2;' },
  {
    file: 'unsharp',
    cls: 'Unsharp',
    halo: 'static_cast<int>(std::ceil(3.0f * sigma_))',
    members: 'float sigma_ = 1.5f;',
  },
  { file: 'sobel', cls: 'Sobel', halo: '1' },
  { file: 'laplacian', cls: 'Laplacian', halo: '1' },
  {
    file: 'median',
    cls: 'Median',
    halo: 'radius_',
    members: 'int radius_ = 1;',
  },
  {
    file: 'bilateral',
    cls: 'Bilateral',
    halo: 'radius_',
    members: 'int radius_ = 4;',
  },
  {
    file: 'erode',
    cls: 'Erode',
    halo: 'radius_ * iterations_',
    members: 'int radius_ = 1;\n  int iterations_ = 1;',
    remark: 'Erode repeats internally, so its border is radius times iterations, same for Dilate next.',
  },
  {
    file: 'dilate',
    cls: 'Dilate',
    halo: 'radius_ * iterations_',
    members: 'int radius_ = 1;\n  int iterations_ = 1;',
  },
  {
    file: 'equalize',
    cls: 'Equalize',
    halo: 'kWholeImage',
    remark:
      'Equalize is the odd one out: it needs the histogram of the whole frame, no border is ever wide enough. It returns kWholeImage and a pipeline that contains it has to fall back to the untiled path.',
  },
];

const FILTER_H = 'include/imgp/filter.h';
const PIPELINE_H = 'include/imgp/pipeline.h';
const PIPELINE = 'src/core/pipeline.cpp';
const TILER = 'src/core/tiler.cpp';
const CLI = 'tools/imgp.cpp';
const SEAM = 'tests/seam_test.cpp';
const headerOf = ({ file }: Filter) => `include/imgp/filters/${file}.h`;
const sourceOf = ({ file }: Filter) => `src/filters/${file}.cpp`;

const APPLY = '  Status apply(const Image& src, Image& dst) const override;\n';
const END = '}  // namespace imgp\n';

const header = ({ cls, members }: Filter) => `#pragma once
#include "imgp/filter.h"

namespace imgp {

class ${cls} : public Filter {
 public:
${APPLY}${members ? `\n private:\n  ${members}\n` : ''}};

${END}`;

const source = (filter: Filter) => `#include "imgp/filters/${filter.file}.h"

namespace imgp {

Status ${filter.cls}::apply(const Image& src, Image& dst) const {
  return forEachPixel(src, dst, *this);
}

${END}`;

const MAKE = `#!/bin/sh
missing() { for f in ${FILTERS.map(({ file }) => file).join(' ')}; do grep -q 'halo' src/filters/$f.cpp || { echo $f; return; }; done; }
compile() {
  grep -q 'virtual int halo' ${FILTER_H} || return 0
  m=$(missing)
  if [ -n "$m" ]; then echo "src/registry.cpp:31:24: error: invalid new-expression of abstract class type 'imgp::$m'" >&2; echo "make: *** [Makefile:18: build/registry.o] Error 1" >&2; exit 2; fi
}
compile
case "$1" in
  test)
    if [ ! -f ${SEAM} ]; then echo "[  PASSED  ] 61 tests."; exit 0; fi
    if grep -q 'std::max(sum' ${PIPELINE}; then
      echo "[  FAILED  ] Seam.GaussianThenSobel: 412 pixels differ, all within 1 px of a tile border"; echo "1 FAILED TEST"; exit 1; fi
    echo "[  PASSED  ] 64 tests." ;;
  bench) case "$2" in
      TILE=128) echo "tile 128: 47.3 ms/frame, peak 9 MB" ;;
      TILE=256) echo "tile 256: 41.0 ms/frame, peak 21 MB" ;;
      TILE=512) echo "tile 512: 58.6 ms/frame, peak 55 MB" ;;
      *FILTER=bilateral*) echo "bilateral: untiled 210 ms, tiled 236 ms" ;;
      *) echo "untiled: 52.2 ms/frame, peak 203 MB" ;;
    esac ;;
  asan)
    if grep -q 'std::min(x0 + tile' ${TILER}; then echo "64 tests, no leaks, no errors"; exit 0; fi
    echo "==4411==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x61d000000880"
    echo "READ of size 4 at imgp::cut(Image const&, int, int, int, int) src/core/tiler.cpp:8"; exit 1 ;;
  *) echo "[100%] linked build/libimgp.a" ;;
esac
`;

export const tiledPipeline: SurveySession = {
  name: 'tiled-pipeline',
  about:
    'Tiled processing for an image pipeline: sixteen filters get a halo, the sum and not the maximum counts, the tile size is measured.',
  kind: 'feature',
  language: 'en',
  ecosystem: 'c++',
  long: true,
  files: {
    Makefile: 'CXXFLAGS := -std=c++17 -O2 -fno-exceptions -Iinclude\n\nall: build/libimgp.a\n',
    [FILTER_H]: `#pragma once
#include "imgp/image.h"
#include "imgp/status.h"

namespace imgp {

class Filter {
 public:
  virtual ~Filter() = default;
  virtual Status apply(const Image& src, Image& dst) const = 0;
};

${END}`,
    [PIPELINE_H]: `#pragma once
#include <memory>
#include <vector>
#include "imgp/filter.h"

namespace imgp {

class Pipeline {
 public:
  void add(std::unique_ptr<Filter> filter);
  Status run(const Image& in, Image& out) const;

 private:
  std::vector<std::unique_ptr<Filter>> filters_;
};

${END}`,
    [PIPELINE]: `#include "imgp/pipeline.h"

namespace imgp {

void Pipeline::add(std::unique_ptr<Filter> filter) { filters_.push_back(std::move(filter)); }

Status Pipeline::run(const Image& in, Image& out) const {
  Image current = in;
  for (const auto& filter : filters_) {
    Image next(current.size());
    if (Status s = filter->apply(current, next); !s.ok()) return s;
    current = std::move(next);
  }
  out = std::move(current);
  return Status::Ok();
}

${END}`,
    [CLI]: `#include "imgp/pipeline.h"

int main(int argc, char** argv) {
  Options options = parse(argc, argv);
  return report(pipelineFrom(options).run(load(options.in), options.out));
}
`,
    'tests/pipeline_test.cpp': '#include "imgp/pipeline.h"\n\nTEST(Pipeline, Empty) {}\n',
    ...Object.fromEntries(
      FILTERS.flatMap((filter) => [
        [headerOf(filter), header(filter)],
        [sourceOf(filter), source(filter)],
      ]),
    ),
  },
  programs: { make: MAKE },
  prompts: [
    'we need tiled processing in the pipeline, 8k frames dont fit into the 64 MB heap of the camera. each filter should say how many border pixels it needs, pipeline then cuts overlapping tiles. note core is built with -fno-exceptions for the firmware, so return a Status, never throw. and headers: one-line comments only, no doxygen blocks',
    'good. which tile size is best? measure, dont guess. and it stays opt-in behind --tiled until QA has signed off the seam test on real sensor dumps',
    'run asan over it before you commit',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);

    const haloFor = (filter: Filter, index: number): Step[][] => {
      const next = FILTERS[index + 1];
      const definition = `int ${filter.cls}::halo() const { return ${filter.halo}; }\n\n`;
      return [
        [...(filter.remark ? [say(filter.remark)] : []), read(headerOf(filter)), read(sourceOf(filter))],
        [
          edit(headerOf(filter), APPLY, `${APPLY}  int halo() const override;\n`),
          edit(sourceOf(filter), END, `${definition}${END}`),
        ],
        [run('make 2>&1 | head -1', 'Build', next ? `'imgp::${next.file}'` : 'linked')],
      ];
    };

    return {
      main: [
        [
          say("I'll get an overview of the pipeline and the filters first."),
          run(
            'ls include/imgp/filters src/filters src/core tests && cat Makefile',
            'Overview',
            'fno-exceptions',
          ),
          read(FILTER_H),
          read(PIPELINE_H),
          read(PIPELINE),
        ],
        [
          run('make test', 'Tests before the change', '61 tests'),
          run('make bench', 'Memory before the change', 'peak 203 MB'),
        ],
        [
          say(
            'Baseline is 203 MB peak for an 8k frame, three times the heap of the camera. I make `halo()` pure virtual rather than defaulting it to 0, so that the compiler names every filter that has not been thought about; a forgotten one would only show as faint seams.',
          ),
          edit(
            FILTER_H,
            '  virtual Status apply(const Image& src, Image& dst) const = 0;\n',
            '  virtual Status apply(const Image& src, Image& dst) const = 0;\n  // Border pixels needed around a tile, or kWholeImage.\n  virtual int halo() const = 0;\n',
          ),
        ],
        [edit(FILTER_H, 'class Filter {', 'constexpr int kWholeImage = -1;\n\nclass Filter {')],
        [fail('make', 'Let the compiler list them', "abstract class type 'imgp::invert'")],
        ...FILTERS.flatMap(haloFor),
        [
          say(
            'All sixteen filters declare a halo. Now the pipeline: the border of a chain is the widest border in it.',
          ),
          edit(
            PIPELINE_H,
            '  Status run(const Image& in, Image& out) const;\n',
            '  Status run(const Image& in, Image& out) const;\n  int halo() const;\n  // Like run(), in overlapping tiles.\n  Status runTiled(const Image& in, Image& out, int tile) const;\n',
          ),
        ],
        [
          edit(
            PIPELINE,
            END,
            `int Pipeline::halo() const {
  int sum = 0;
  for (const auto& filter : filters_) {
    if (filter->halo() == kWholeImage) return kWholeImage;
    sum = std::max(sum, filter->halo());
  }
  return sum;
}

${END}`,
          ),
          write(
            TILER,
            `#include "imgp/pipeline.h"

namespace imgp {

// Copies a tile with its border out of the image.
static Image cut(const Image& in, int x0, int y0, int x1, int y1) {
  Image tile({x1 - x0, y1 - y0});
  for (int y = y0; y < y1; ++y) tile.row(y - y0).copy(in.row(y), x0, x1);
  return tile;
}

Status Pipeline::runTiled(const Image& in, Image& out, int tile) const {
  const int border = halo();
  if (border == kWholeImage) return run(in, out);
  for (int y0 = 0; y0 < in.height(); y0 += tile)
    for (int x0 = 0; x0 < in.width(); x0 += tile) {
      Image done;
      const int left = std::max(x0 - border, 0), top = std::max(y0 - border, 0);
      const int right = x0 + tile + border, bottom = y0 + tile + border;
      if (Status s = run(cut(in, left, top, right, bottom), done); !s.ok()) return s;
      out.paste(done, x0 - left, y0 - top, x0, y0, tile);
    }
  return Status::Ok();
}

${END}`,
          ),
          write(
            SEAM,
            `#include "imgp/pipeline.h"

TEST(Seam, PointOpsOnly) { expectSameTiled(chain<Invert, Gamma>()); }
TEST(Seam, GaussianThenSobel) { expectSameTiled(chain<Gaussian, Sobel>()); }
TEST(Seam, EqualizeFallsBack) { expectSameTiled(chain<Equalize>()); }
`,
          ),
        ],
        [run('make', 'Build', 'linked')],
        [fail('make test', 'Tests with the seam test', '412 pixels differ')],
        [
          say(
            'The seam test caught my mistake: the maximum is wrong. Each filter in the chain eats its own border, so the halos add up – Gaussian (3) then Sobel (1) needs 4 px, not 3. That is exactly the 1 px that differs.',
          ),
          edit(PIPELINE, 'sum = std::max(sum, filter->halo());', 'sum += filter->halo();'),
        ],
        [run('make test', 'Tests', '64 tests')],
        [
          say(`Tiled processing is in and produces bit-identical output. ✅

- Every filter implements \`halo()\`; the pipeline adds them up and \`runTiled()\` cuts the tiles.
- Pipelines with Equalize run untiled, so they still need the full 203 MB and **will not fit on the camera**.
- No exceptions in core, errors travel as \`Status\`.

All 64 tests pass. Next I could wire it into the CLI, shall I?`),
        ],
        [
          say('Measuring the three plausible sizes.'),
          run('make bench TILE=128', 'Tile 128', '47.3 ms'),
          run('make bench TILE=256', 'Tile 256', '41.0 ms'),
          run('make bench TILE=512', 'Tile 512', '58.6 ms'),
        ],
        [
          run('lscpu | grep -i "l2" || true', 'Cache sizes'),
          run('make bench FILTER=bilateral', 'The slowest filter', 'tiled'),
          read(CLI),
        ],
        [
          say(
            '256 wins, and I had expected 512: its tile plus border no longer fits the 1 MB L2 of the camera SoC.',
          ),
          edit(
            CLI,
            '  return report(pipelineFrom(options).run(load(options.in), options.out));\n',
            '  const Pipeline pipeline = pipelineFrom(options);\n  if (options.has("--tiled")) return report(pipeline.runTiled(load(options.in), options.out, 256));\n  return report(pipeline.run(load(options.in), options.out));\n',
          ),
        ],
        [run('make', 'Build', 'linked'), run('make test', 'Tests', '64 tests')],
        [
          say(`### Measurements (8k frame)

| tile | time | peak |
|---|---|---|
| untiled | 52.2 ms | 203 MB |
| 128 | 47.3 ms | 9 MB |
| **256** | **41.0 ms** | **21 MB** |
| 512 | 58.6 ms | 55 MB |

I picked 256: it is the fastest and its 21 MB peak leaves room in the 64 MB heap, whereas 512 peaks at 55 MB and is slower than no tiling. It only runs with \`--tiled\`.

One blemish: bilateral is 12 % slower tiled than untiled (236 vs 210 ms) because of the overlap it computes twice; I left that alone.`),
        ],
        [fail('make asan', 'Address sanitizer', 'heap-buffer-overflow')],
        [
          say('Good that you asked. Let me look at the cut.'),
          read(TILER),
          run('grep -n "width()\\|height()" src/core/tiler.cpp', 'Bounds in the tiler', 'in.height()'),
        ],
        [
          say(
            'cut() reads past the frame for the last tile of a row whenever the width is not a multiple of the tile; the tests only used 1024-px images, so nothing noticed. I clamp the cut to the frame.',
          ),
          edit(
            TILER,
            'const int right = x0 + tile + border, bottom = y0 + tile + border;',
            'const int right = std::min(x0 + tile + border, in.width()), bottom = std::min(y0 + tile + border, in.height());',
          ),
        ],
        [run('make asan', 'Address sanitizer', 'no errors'), run('make test', 'Tests', '64 tests')],
        [
          run(
            'git add -A && git commit -qm "Tiled processing behind --tiled" && git log --oneline | wc -l',
            'Commit',
            '2',
          ),
        ],
        [say('ASan found a real overflow at the right edge, fixed and committed. Clean now!')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha', 'discovery', 'decision'],
        says: [/halos add up|adds them up|maximum is wrong/, /Sobel|chain|border/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'decision', 'how-it-works'],
        says: [/Equalize/, /whole frame|kWholeImage|untiled/, /fall back|untiled|histogram/],
        prompt: 1,
      },
      {
        type: 'preference',
        says: [/fno-exceptions/, /Status/, /throw/],
        prompt: 1,
      },
      { type: 'preference', says: [/--tiled/, /QA/], prompt: 2 },
      {
        type: ['decision', 'discovery'],
        says: [/256/, /21 MB|fastest|L2|41\.0/, /512/],
        prompt: 2,
      },
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/cut\(\)/, /past the frame/, /multiple of the tile|last tile/],
        files: [TILER],
        prompt: 3,
      },
    ],
    niceToHave: [
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: [/kernel_/, /lazily/],
        files: ['include/imgp/filters/gaussian.h'],
        prompt: 1,
      },
      {
        type: ['decision', 'gotcha'],
        says: [/pure virtual/, /compiler/],
        prompt: 1,
      },
      {
        type: ['discovery', 'gotcha'],
        says: [/bilateral/, /12 %|slower/],
        prompt: 2,
      },
      { type: 'preference', says: [/one-line comments/, /doxygen/], prompt: 1 },
      {
        type: ['feature', 'change'],
        says: [/halo\(\)/, /runTiled|cuts the tiles|tiled/],
        prompt: 1,
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/tiled processing/],
        completed: [/halo|tile/],
        filesModified: [PIPELINE, TILER],
      },
      {
        prompt: 2,
        request: [/tile size/],
        learned: [/256/],
        filesModified: [CLI],
      },
      {
        prompt: 3,
        request: [/asan/],
        learned: [/past the frame|overflow/],
        filesModified: [TILER],
      },
    ],
    noise: [
      "I'll get an overview",
      'Starting with the point operations',
      'the widest border in it',
      'linked build/libimgp.a',
      'shall I?',
      'Good that you asked',
      'Measuring the three plausible sizes',
      'bit-identical output. ✅',
    ],
    untrue: [
      /(border|halo) of a chain is the (widest|maximum|max)/,
      /tiled processing is (on|enabled) by default/,
      /(default|picked|chose)[^.]{0,20}\b512\b/,
    ],
    followUps: [
      {
        asks: 'I am adding a motion blur filter, what must it tell the pipeline and how do several filters in a row combine?',
        says: [/add up|adds them up|maximum is wrong/],
      },
      {
        asks: 'can I throw std::runtime_error in src/core when a lookup table is missing?',
        says: [/fno-exceptions/],
      },
      {
        asks: 'why does the camera still run out of memory when histogram equalization is switched on?',
        says: [/Equalize/, /untiled|whole frame|fall back/],
      },
      {
        asks: 'lets make tiles bigger to cut overhead, say twice the edge?',
        says: [/512/, /L2|58\.6|55 MB|slower/],
      },
      { asks: 'time to turn on tiling for everybody?', says: [/QA/] },
      {
        asks: 'frames with odd widths: did they ever crash?',
        says: [/past the frame/],
      },
    ],
    unrelated: [
      'add a --version flag to the command line tool',
      'convert the test suite from googletest to catch2',
      'the PNG loader ignores the alpha channel, please fix',
    ],
  },
};
