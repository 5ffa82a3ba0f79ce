import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const ROOT = 'CMakeLists.txt';
const ARCHIVE = 'src/archive/CMakeLists.txt';

export const cmakeWhyStatic: SurveySession = {
  name: 'cmake why static',
  about: 'A new colleague asks how the plug-in is linked and where it looks for its data.',
  kind: 'question',
  language: 'en',
  ecosystem: 'cpp',
  files: {
    [ROOT]: `cmake_minimum_required(VERSION 3.24)
project(gravel_sampler CXX)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
add_subdirectory(src/archive)
add_library(gravel MODULE src/plugin.cpp)
target_link_libraries(gravel PRIVATE archive)
if(APPLE)
  set_target_properties(gravel PROPERTIES BUNDLE ON)
endif()
`,
    [ARCHIVE]: `find_package(ZLIB REQUIRED)
# static: see 2f81c
add_library(archive STATIC reader.cpp)
target_link_libraries(archive PRIVATE ZLIB::ZLIBSTATIC)
`,
    'src/plugin.cpp': '#include "archive/reader.h"\n// entry point of the host\n',
    'src/archive/reader.cpp': `#include "reader.h"
std::filesystem::path bankDir() {
  if (auto p = std::getenv("GRAVEL_BANKS")) return p;
#ifdef __APPLE__
  return home() / "Library/Audio/Gravel";
#else
  return home() / ".local/share/gravel";
#endif
}
`,
    'docs/incidents.md': `# Incidents

## 2025-10 Crash in Bitwig
The host loads its own zlib 1.2.8 into the same process. Our dynamic zlib resolved to it, and inflateGetDictionary crashed.
Fix: link zlib statically and hide the symbols.
`,
  },
  prompts: [
    "New here. Why do we link zlib statically in the archive library? The comment just says 'see 2f81c' and that commit isn't in the repo. I was about to switch it to the shared one so that distro packagers are happy.",
    'Makes sense, I leave it alone. Second thing: where does the plug-in look for sample banks? On my Linux box it finds none.',
  ],
  script: (dir) => {
    const { run, fail, read } = callsIn(dir);
    return {
      main: [
        [
          say("I'll try the commit first."),
          fail('git show 2f81c --stat', 'Look for the commit', 'unknown revision'),
          run('grep -rni zlib --include=CMakeLists.txt --include=*.md .', 'Mentions of zlib', 'incidents.md'),
        ],
        [read('docs/incidents.md'), read(ARCHIVE), read(ROOT)],
        [
          say(`Please don't switch it; it is static because of a crash, not out of habit.

\`docs/incidents.md\` has the story (October 2025): Bitwig loads its own zlib 1.2.8 into the process, and a plug-in with a dynamic zlib gets its symbols resolved to that old copy. \`inflateGetDictionary\` then crashed. A plug-in shares the address space with its host, so any shared library it brings can be replaced by the host's version.

Two parts work together: \`ZLIB::ZLIBSTATIC\` in \`${ARCHIVE}\`, and \`CMAKE_CXX_VISIBILITY_PRESET hidden\` in the root \`${ROOT}\`, which keeps our copy from leaking into the host. Removing either brings the problem back.

The commit 2f81c is from the old Subversion mirror and was lost in the move to git. One caveat: \`ZLIBSTATIC\` is not a target of CMake's own FindZLIB; it comes from our vcpkg port, so a plain \`apt install zlib1g-dev\` build fails at configure time.`),
        ],
        [
          run('grep -rn bankDir src', 'Who decides on the folder', 'reader.cpp'),
          read('src/archive/reader.cpp'),
          run('ls src/archive', 'Files of the library', 'reader.cpp'),
        ],
        [
          say(`\`bankDir()\` in \`src/archive/reader.cpp\` decides, in this order:

1. the environment variable \`GRAVEL_BANKS\`, if set
2. \`~/Library/Audio/Gravel\` on macOS
3. \`~/.local/share/gravel\` everywhere else

It ignores \`XDG_DATA_HOME\`. So if you have that set and put the banks there, the plug-in never looks. It also does not fall back: when \`GRAVEL_BANKS\` points to an empty folder, you get no banks at all rather than the default ones. Hosts started from the desktop don't see variables from your \`.bashrc\`, so on Linux the reliable way is a symlink at \`~/.local/share/gravel\`.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'how-it-works', 'gotcha', 'decision'],
        says: ['zlib', /static/i, /Bitwig|host/, /1\.2\.8|crash/],
        prompt: 1,
      },
      {
        type: ['discovery', 'how-it-works', 'gotcha', 'decision'],
        says: [/VISIBILITY_PRESET|hidden/, /leaking|host|either/],
        prompt: 1,
      },
      { type: ['discovery', 'how-it-works'], says: ['GRAVEL_BANKS', /\.local\/share\/gravel/], prompt: 2 },
      {
        type: ['gotcha', 'discovery', 'how-it-works'],
        says: ['XDG_DATA_HOME', /ignore|never looks/],
        prompt: 2,
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha', 'how-it-works'], says: ['2f81c', /Subversion|lost/] },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: ['vcpkg', /ZLIBSTATIC|zlib1g-dev/] },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/\.bashrc|symlink/, /desktop|Linux/] },
    ],
    summaries: [
      { prompt: 1, request: ['zlib'], learned: [/Bitwig|host/], filesRead: ['docs/incidents.md', ARCHIVE] },
      {
        prompt: 2,
        request: ['sample banks'],
        learned: ['GRAVEL_BANKS'],
        filesRead: ['src/archive/reader.cpp'],
      },
    ],
    noise: ["I'll try the commit first", 'unknown revision', 'New here', 'Makes sense'],
    untrue: [/switched to the shared/, /falls back to the default/],
    followUps: [
      { asks: 'a Debian packager asks us to use the system zlib', says: [/Bitwig|host/, /crash/] },
      { asks: 'what is 2f81c that the CMake comment points to?', says: [/Subversion|zlib/] },
      {
        asks: 'configure step on a fresh Ubuntu says the compression target does not exist',
        says: ['vcpkg'],
      },
      {
        asks: 'user on Fedora moved his sounds to the XDG directory and now the list is empty',
        says: ['XDG_DATA_HOME'],
      },
      {
        asks: 'can I turn on default symbol visibility to make debugging simpler?',
        says: [/hidden/, /host|leaking/],
      },
    ],
    unrelated: [
      'add a low-pass filter with resonance to the voice',
      'clang-format the whole tree',
      'draw a new icon for the preset browser',
    ],
  },
};
