import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const MODULE = `package com.lager.scanner

import com.facebook.react.bridge.*

class ScannerModule(ctx: ReactApplicationContext) : ReactContextBaseJavaModule(ctx) {
    override fun getName() = "Scanner"

    @ReactMethod
    fun start(profile: String) { DataWedge.enable(reactApplicationContext, profile) }

    fun onScan(code: String) {
        reactApplicationContext
            .getJSModule(RCTDeviceEventEmitter::class.java)
            .emit("scan", code)
    }
}
`;

const HOOK = `import { useEffect, useRef } from 'react';
import { DeviceEventEmitter, NativeModules } from 'react-native';

export function useScanner(onCode: (code: string) => void) {
  const last = useRef('');
  useEffect(() => {
    NativeModules.Scanner.start('lager');
    const sub = DeviceEventEmitter.addListener('scan', onCode);
    return () => sub.remove();
  });
}
`;

const LIST = `import { FlatList, View } from 'react-native';

export function PickList({ rows, rowRef }) {
  const flash = () => rowRef.current.setNativeProps({ style: { backgroundColor: 'lime' } });
  return <FlatList data={rows} renderItem={({ item }) => <View ref={rowRef}>{item.name}</View>} />;
}
`;

const GRADLE = `#!/bin/sh
grep -q "minSdkVersion = 26" android/build.gradle || { echo "BUILD FAILED: minSdk"; exit 1; }
echo "BUILD SUCCESSFUL in 2m 11s"
`;

const ADB = `#!/bin/sh
case "$*" in
  *getprop*) echo "[ro.product.model]: [TC52]"; echo "[ro.build.version.sdk]: [26]" ;;
  *meminfo*) echo "TOTAL PSS: 212 MB" ;;
  *logcat*)
    if grep -q "newArchEnabled=true" android/gradle.properties; then
      echo "W ReactNativeJS: setNativeProps is not supported in the New Architecture"
      if grep -q "  });" src/useScanner.ts; then echo "I Scanner: listeners 214"; else echo "I Scanner: listeners 1"; fi
    else echo "I Scanner: listeners 1"; fi ;;
esac
`;

const SCANBENCH = `#!/bin/sh
if grep -q "  });" src/useScanner.ts; then echo "200 scans: 187 shown, 1640 duplicates, median 480 ms"
else echo "200 scans: 200 shown, 0 duplicates, median 61 ms"; fi
`;

export const reactNativeScannerEn: SurveySession = {
  name: 'react-native-scanner-en',
  about:
    'React Native 0.73 to 0.76 for hand scanners; scans come twice and Hermes is suspected; a patch is taken back.',
  kind: 'upgrade',
  language: 'en',
  ecosystem: 'react native',
  files: {
    'android/app/src/main/java/com/lager/scanner/ScannerModule.kt': MODULE,
    'android/build.gradle':
      'buildscript {\n  ext {\n    minSdkVersion = 26\n    kotlinVersion = "1.8.0"\n  }\n}\n',
    'android/gradle.properties': 'hermesEnabled=true\nnewArchEnabled=false\n',
    'src/useScanner.ts': HOOK,
    'src/PickList.tsx': LIST,
    'package.json': '{ "dependencies": { "react-native": "0.73.6", "react": "18.2.0" } }\n',
    'patches/README.md': 'Patches for packages, applied by patch-package.\n',
  },
  programs: { gradlew: GRADLE, adb: ADB, scanbench: SCANBENCH, yarn: '#!/bin/sh\necho "Done in 31.20s."\n' },
  script(projectDir) {
    const { run, read, edit, write } = callsIn(projectDir);
    return {
      main: [
        [
          say("I'll check the device, the native module and the flags first."),
          run('adb shell getprop', 'Which device', 'ro.build.version.sdk'),
          read('package.json'),
          read('android/build.gradle'),
          read('android/gradle.properties'),
          read('android/app/src/main/java/com/lager/scanner/ScannerModule.kt'),
          read('src/useScanner.ts'),
          read('src/PickList.tsx'),
        ],
        [
          say(
            'The TC52 runs API 26 and RN 0.76 needs at least 24, so the devices are fine. 0.76 turns the New Architecture on by default and needs Kotlin 1.9.',
          ),
          edit(
            'package.json',
            '"react-native": "0.73.6", "react": "18.2.0"',
            '"react-native": "0.76.3", "react": "18.3.1"',
          ),
          edit('android/build.gradle', 'kotlinVersion = "1.8.0"', 'kotlinVersion = "1.9.25"'),
          edit('android/gradle.properties', 'newArchEnabled=false', 'newArchEnabled=true'),
          run('yarn install && gradlew assembleRelease', 'Install and build', 'BUILD SUCCESSFUL'),
          run('scanbench --device TC52', 'Scan 200 codes', '1640 duplicates'),
        ],
        [
          say(
            'It builds, but 200 scans give 1640 duplicate events and a median of 480 ms. I suspect the newer Hermes: timers and GC changed in it. Trying a build on JSC to compare.',
          ),
          edit('android/gradle.properties', 'hermesEnabled=true', 'hermesEnabled=false'),
          run(
            'gradlew assembleRelease && scanbench --device TC52',
            'Build on JSC and scan',
            '1640 duplicates',
          ),
        ],
        [
          say(
            'Same numbers on JSC, so Hermes has nothing to do with it. Back to Hermes. What does the native side say?',
          ),
          edit('android/gradle.properties', 'hermesEnabled=false', 'hermesEnabled=true'),
          run('adb logcat -d -s Scanner ReactNativeJS', 'Log of the scanner', 'listeners 214'),
        ],
        [
          say(
            'There are 214 listeners. `useScanner` has an effect without a dependency array: it subscribes again after every render. On the old architecture that was hidden because the bridge batched the events and remove() always ran before the next batch; with synchronous events the cleanup comes too late. So it is our bug, the upgrade only exposed it.',
          ),
          edit(
            'src/useScanner.ts',
            '    return () => sub.remove();\n  });',
            '    return () => sub.remove();\n  }, [onCode]);',
          ),
          write('patches/react-native+0.76.3.patch', 'diff --git a/EventEmitter.js b/EventEmitter.js\n'),
          run('gradlew assembleRelease && scanbench --device TC52', 'Build and scan', '0 duplicates'),
        ],
        [
          say(
            'Scans are right: 200 of 200, 0 duplicates, median 61 ms.\n\n- react-native 0.76.3, react 18.3.1, Kotlin 1.9.25, New Architecture on.\n- `useScanner` subscribes once per `onCode` instead of after every render.\n- I also wrote a patch for EventEmitter in patches/ that drops double events as a belt and braces measure.\n\nOpen: PickList calls `setNativeProps`, which does nothing in the New Architecture, so the green flash after a scan is gone. Alternatively we could move to Expo, whose scanner module has this solved.',
          ),
        ],
        [
          say('Removing the patch and replacing the flash with state.'),
          run('rm patches/react-native+0.76.3.patch && ls patches', 'Remove the patch', 'README.md'),
          edit(
            'src/PickList.tsx',
            "  const flash = () => rowRef.current.setNativeProps({ style: { backgroundColor: 'lime' } });\n",
            '  const [flashing, setFlashing] = useState(false);\n  const flash = () => {\n    setFlashing(true);\n    setTimeout(() => setFlashing(false), 300);\n  };\n',
          ),
          edit(
            'src/PickList.tsx',
            'import { FlatList, View }',
            "import { useState } from 'react';\nimport { FlatList, View }",
          ),
          run('gradlew assembleRelease && scanbench --device TC52', 'Build and scan', '0 duplicates'),
          run('adb shell dumpsys meminfo com.lager', 'Memory', '212 MB'),
        ],
        [
          say(
            'The patch file is deleted and no package is patched. The flash is state now (300 ms) and works again. Memory is 212 MB on the TC52, under your limit of 250 MB.',
          ),
        ],
        [
          edit('src/PickList.tsx', 'setFlashing(false), 300)', 'setFlashing(false), 600)'),
          run(
            'git add -A && git commit -qm "upgrade: react native 0.76" && git log --oneline | head -1',
            'Commit',
            'react native 0.76',
          ),
        ],
        [
          say(
            'The flash lasts 600 ms and it is committed. Tested only on a TC52; the older TC51 in Halle 3 is untested.',
          ),
        ],
      ],
    };
  },
  prompts: [
    'upgrade the warehouse app from RN 0.73 to 0.76, new architecture on. runs on Zebra TC52 only handhelds so test on the one plugged in. memory must stay below 250 MB, the devices kill us otherwise',
    'no patch-package for react-native itself, we got burned by that twice, take it out. no expo either (DataWedge). but fix the flash, pickers rely on it, they dont hear the beep in the hall',
    '300 is too short, they look away. 600. then commit',
  ],
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha', 'discovery', 'how-it-works'],
        says: [/useScanner/, /render|dependency array|214|subscribes/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'bugfix', 'change'],
        says: [/setNativeProps/, /New Architecture|does nothing|flash/],
      },
      { type: ['preference', 'decision'], says: [/patch/, /react-native|burned/], prompt: 2 },
      { type: ['preference', 'decision'], says: [/expo/, /DataWedge/], prompt: 2 },
      { type: ['decision', 'change', 'preference', 'bugfix'], says: [/600/, /flash|too short/], prompt: 3 },
      { type: ['preference', 'decision', 'gotcha'], says: [/250 MB/], prompt: 1 },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/Hermes/, /nothing to do|same numbers|JSC/] },
      { type: ['change', 'feature', 'discovery'], says: [/0\.76\.3|Kotlin 1\.9/] },
      { type: ['discovery', 'how-it-works', 'gotcha'], says: [/API 26|at least 24|TC52/] },
      { type: ['discovery', 'gotcha', 'change'], says: [/TC51|untested/] },
      { type: ['discovery', 'bugfix', 'change'], says: [/61 ms|0 duplicates|212 MB/] },
      { type: ['gotcha', 'preference', 'discovery', 'decision'], says: [/flash/, /beep|pickers/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/0\.76/],
        learned: [/useScanner|listeners|setNativeProps|render/],
        completed: [/0\.76\.3|useScanner|duplicates/],
        filesModified: ['package.json', 'src/useScanner.ts', 'android/build.gradle'],
      },
      { prompt: 2, request: [/patch/], completed: [/patch|flash/], filesModified: ['src/PickList.tsx'] },
      { prompt: 3, request: [/600/], completed: [/600/], filesModified: ['src/PickList.tsx'] },
    ],
    noise: ["I'll check the device", 'Removing the patch and replacing'],
    untrue: [
      /suspect the newer Hermes(?![\s\S]*(nothing to do|same numbers))/,
      /we could move to Expo/,

      /(caused|cause[sd]?|due) (by|to|is|was) (the )?(newer )?Hermes/,
      /hermes (is|was) (now )?(disabled|off|replaced)/,
      /runs on JSC/,
      /(wrote|added|there is) a patch (for|of) EventEmitter/,
      /flash (lasts|is|of) 300/,
      /(moved|migrated|switched) to Expo/,
      /tested on (a |the )?TC51/,
      /the (upgrade|New Architecture) (is|was) the (cause|bug)/,
      /flash after a scan is gone/,
    ],
    followUps: [
      {
        asks: 'barcodes arrive several times on one screen, what was the story with useScanner?',
        says: [/render|dependency array|214|subscribes/],
      },
      {
        asks: 'RN 0.77 has a bug in its text input, shall I carry a patch-package diff until they fix it?',
        says: [/patch/, /burned|no patch|take it out|deleted|no package/],
      },
      { asks: 'would Expo make our builds simpler?', says: [/DataWedge/] },
      { asks: 'how long does a row light up after scanning and why so long?', says: [/600/] },
      { asks: 'can we cache all product pictures in memory on the handhelds?', says: [/250 MB/] },
    ],
    unrelated: [
      'translate the login screen to Polish',
      'add a lint rule against default exports',
      'where does the returns screen get its reasons from?',
    ],
  },
};
