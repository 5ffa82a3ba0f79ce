import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const MODEL = `#include "trace_model.h"

TraceModel::TraceModel(QObject *parent) : QAbstractTableModel(parent) {}

void TraceModel::append(const Frame &frame)
{
    beginResetModel();
    m_frames.push_back(frame);
    if (m_frames.size() > kMaxFrames)
        m_frames.pop_front();
    endResetModel();
}

QVariant TraceModel::data(const QModelIndex &index, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    return format(m_frames[index.row()], index.column());
}
`;

const RESET = `    beginResetModel();
    m_frames.push_back(frame);
    if (m_frames.size() > kMaxFrames)
        m_frames.pop_front();
    endResetModel();
`;

const BATCHED = `    m_pending.push_back(frame);
    if (!m_flush.isActive())
        m_flush.start(kFlushMs, this);
`;

const VIEW = `#include "trace_view.h"

TraceView::TraceView(QWidget *parent) : QTableView(parent)
{
    horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    verticalHeader()->setVisible(false);
    setWordWrap(false);
}
`;

export const qtTableFreezeEn: SurveySession = {
  name: 'qt-table-freeze-en',
  about: 'The trace window freezes; the machine goes down while the last measurement runs.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'c++',
  how: { cut: 'killed', when: 'soak.started' },
  files: {
    'src/trace_model.cpp': MODEL,
    'src/trace_model.h':
      '#pragma once\n#include <QAbstractTableModel>\n#include <QBasicTimer>\n#include <deque>\n\nclass TraceModel : public QAbstractTableModel {\n    std::deque<Frame> m_frames;\n    static constexpr size_t kMaxFrames = 200000;\n};\n',
    'src/trace_view.cpp': VIEW,
    'CMakeLists.txt': 'cmake_minimum_required(VERSION 3.24)\nproject(tracer LANGUAGES CXX)\n',
    'bench/README.md': '`tracer-bench --rate 4000` feeds frames and prints the frame time of the UI.\n',
  },
  programs: {
    cmake: `#!/bin/sh
echo "[1/3] Building CXX object src/CMakeFiles/tracer.dir/trace_model.cpp.o"
echo "[2/3] Building CXX object src/CMakeFiles/tracer.dir/trace_view.cpp.o"
echo "[3/3] Linking CXX executable tracer"
`,
    perf: `#!/bin/sh
cat <<'OUT'
# Samples: 41K of event 'cycles'
# Overhead  Command  Shared Object        Symbol
    61.20%  tracer   libQt6Widgets.so.6   [.] QTableView::sizeHintForColumn
    14.71%  tracer   libQt6Gui.so.6       [.] QTextEngine::shapeText
     9.83%  tracer   libQt6Widgets.so.6   [.] QHeaderViewPrivate::resizeSections
     3.02%  tracer   tracer               [.] TraceModel::data
     1.44%  tracer   libc.so.6            [.] _int_malloc
OUT
`,
    'tracer-bench': `#!/bin/sh
case "$*" in
  *soak*) touch soak.started; i=0; while [ -e soak.started ] && [ $i -lt 300 ]; do sleep 0.2; i=$((i+1)); done ;;
esac
reset=0; batch=0; fixed=0
grep -q beginResetModel src/trace_model.cpp && reset=1
grep -q m_pending src/trace_model.cpp && batch=1
grep -q Interactive src/trace_view.cpp && fixed=1
echo "rate 4000 frames/s, 60 s, 200000 rows"
if [ $fixed = 1 ] && [ $batch = 1 ]; then echo "ui frame time: p50 6 ms  p99 14 ms  max 21 ms"
elif [ $batch = 1 ]; then echo "ui frame time: p50 310 ms  p99 900 ms  max 1240 ms"
else echo "ui frame time: p50 1880 ms  p99 4100 ms  max 5230 ms"; fi
`,
  },
  script(projectDir) {
    const { run, cut, read, edit } = callsIn(projectDir);
    return {
      main: [
        [
          say('I will reproduce it with the bench first, then profile.'),
          run('tracer-bench --rate 4000', 'Measure the frame time of the UI', 'p99 4100 ms'),
          read('src/trace_model.cpp'),
          read('src/trace_view.cpp'),
          read('src/trace_model.h'),
        ],
        [
          say(
            'Reproduced: 4.1 s at p99. Two suspects: `append` resets the whole model for every single frame, and the header resizes to contents.',
          ),
          run('perf report --stdio --no-children | head -20', 'Where does the time go', 'sizeHintForColumn'),
        ],
        [
          say(
            'The profile is clear: 61 % is in `QTableView::sizeHintForColumn`. The root cause is `QHeaderView::ResizeToContents` together with the reset per frame: every reset makes the header measure the text of the visible rows of all columns again, 4000 times a second. The CAN decoder itself is not involved, `TraceModel::data` is 3 %.',
          ),
          edit('src/trace_model.cpp', RESET, BATCHED),
          edit(
            'src/trace_model.h',
            '    std::deque<Frame> m_frames;\n',
            '    std::deque<Frame> m_frames;\n    std::vector<Frame> m_pending;\n    QBasicTimer m_flush;\n    static constexpr int kFlushMs = 50;\n',
          ),
          run('cmake --build build', 'Build', 'Linking'),
        ],
        [run('tracer-bench --rate 4000', 'Measure again', 'p99 900 ms')],
        [
          say(
            'Batching alone is not enough: inserting rows every 50 ms brings p99 from 4100 ms down to 900 ms, still a freeze. The header has to stop measuring.\n\nMoving the model to a worker thread is not an option: QAbstractItemModel must live in the GUI thread, views call it without locks. So: columns keep a fixed width (`Interactive`), sized once from the first 100 rows.',
          ),
          edit(
            'src/trace_view.cpp',
            'setSectionResizeMode(QHeaderView::ResizeToContents)',
            'setSectionResizeMode(QHeaderView::Interactive)',
          ),
          run('cmake --build build && tracer-bench --rate 4000', 'Build and measure', 'p99 14 ms'),
        ],
        [
          say(
            'With both changes p99 is 14 ms. Now the soak of two hours, to see that memory stays flat with the pending buffer.',
          ),
          cut('tracer-bench --rate 4000 --soak 2h', 'Soak test'),
        ],
      ],
    };
  },
  prompts: [
    "trace window locks up for seconds as soon as the bus is busy (truck log, ~4k frames/s). need this fixed before the customer visit on thursday. don't lower the frame limit, they want the full 200k rows. and please no QML rewrite proposals, we stay on widgets",
  ],
  expects: {
    essentials: [
      {
        type: ['discovery', 'bugfix', 'gotcha', 'how-it-works'],
        says: ['ResizeToContents', /measure|sizeHintForColumn/],
      },
      {
        type: ['discovery', 'gotcha', 'bugfix', 'decision', 'change'],
        says: [/batching|every 50 ms/, /900 ms/],
      },
      {
        type: ['decision', 'gotcha', 'discovery', 'how-it-works'],
        says: [/thread/, /QAbstractItemModel|GUI thread/],
      },
      {
        type: ['decision', 'bugfix', 'change', 'discovery', 'refactor'],
        says: [/fixed width|Interactive|both changes/, /14 ms|first 100 rows/],
      },
      { type: ['preference', 'decision'], says: [/200k|frame limit/] },
    ],
    niceToHave: [
      { type: ['preference', 'decision'], says: [/QML|widgets/] },
      { type: ['discovery', 'bugfix', 'how-it-works'], says: [/4\.1 s|4100 ms/] },
      { type: ['discovery', 'how-it-works'], says: [/decoder/, /3 %/] },
      {
        type: ['bugfix', 'change', 'refactor', 'discovery'],
        says: [/trace_model|trace_view|m_pending|beginResetModel/],
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['trace window'],
        learned: [/ResizeToContents|sizeHintForColumn/],
        filesModified: ['src/trace_model.cpp', 'src/trace_view.cpp'],
      },
    ],
    noise: ['I will reproduce it', 'Now the soak of two hours'],
    untrue: [
      /soak (test )?(passed|was green|succeeded)/,
      /memory (stays|stayed) flat over/,
      /frame limit (was|is now) lowered/,
    ],
    followUps: [
      {
        asks: 'the column widths in the trace view look silly with long signal names, make them fit their content automatically',
        says: ['ResizeToContents'],
      },
      {
        asks: 'can we push TraceModel onto a background thread so that decoding J1939 does not block the window?',
        says: [/thread/, /QAbstractItemModel|GUI thread/],
      },
      {
        asks: 'someone suggests trimming the trace to 50k rows to save memory on the tablets. ok to do that in trace_model?',
        says: [/200k|frame limit/],
      },
    ],
    unrelated: [
      'add a German translation for the preferences dialog',
      'the installer for Windows should put a shortcut on the desktop',
    ],
  },
};
