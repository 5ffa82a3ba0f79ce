import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const BASE = 'app/src/main/java/kr/yakal';
const SCHEDULER = `${BASE}/reminder/ReminderScheduler.kt`;
const BOOT = `${BASE}/reminder/BootReceiver.kt`;
const APP = `${BASE}/YakalApp.kt`;
const TEST = 'app/src/test/java/kr/yakal/reminder/MigrationTest.kt';
const DUMP = 'dumps/galaxy-a52.txt';

const GRADLEW = `#!/bin/sh
# Stands in for the Gradle wrapper: looks at the sources instead of building them.
if [ -f ${TEST} ] && ! grep -q 'cancelUniqueWork' ${SCHEDULER}; then
  echo "MigrationTest > 업데이트_후_작업은_하나 FAILED"
  echo "    expected:<1> but was:<2> ENQUEUED works"
  exit 1
fi
echo "BUILD SUCCESSFUL, 86 tests"
`;

export const duplicateReminderKo: SurveySession = {
  name: 'duplicate reminder ko',
  about: '복약 알림이 두 번 온다. FCM과 부팅 리시버를 의심하지만 원인은 이름이 바뀐 WorkManager 작업이다.',
  kind: 'bug hunt',
  language: 'ko',
  ecosystem: 'android',
  files: {
    'app/build.gradle.kts': `android {
    defaultConfig { minSdk = 26; targetSdk = 34; versionName = "4.3.1" }
}
dependencies { implementation("androidx.work:work-runtime-ktx:2.9.0") }
`,
    [SCHEDULER]: `package kr.yakal.reminder

import androidx.work.ExistingPeriodicWorkPolicy
import androidx.work.PeriodicWorkRequestBuilder
import androidx.work.WorkManager
import java.util.concurrent.TimeUnit

class ReminderScheduler(private val works: WorkManager) {
    fun start() {
        val request = PeriodicWorkRequestBuilder<ReminderWorker>(15, TimeUnit.MINUTES).build()
        works.enqueueUniquePeriodicWork(NAME, ExistingPeriodicWorkPolicy.KEEP, request)
    }

    companion object {
        const val NAME = "reminder-v2"
    }
}
`,
    [BOOT]: `package kr.yakal.reminder

class BootReceiver : BroadcastReceiver() {
    override fun onReceive(context: Context, intent: Intent) {
        ReminderScheduler(WorkManager.getInstance(context)).start()
    }
}
`,
    [APP]: `package kr.yakal

class YakalApp : Application() {
    override fun onCreate() {
        super.onCreate()
        ReminderScheduler(WorkManager.getInstance(this)).start()
    }
}
`,
    [DUMP]: `# adb shell dumpsys jobscheduler, 4.3.1, 4.2에서 업데이트한 기기
JOB #u0a211/14 kr.yakal/androidx.work.impl.background.systemjob.SystemJobService
  unique=reminder interval=15m enqueued=2026-03-02
JOB #u0a211/31 kr.yakal/androidx.work.impl.background.systemjob.SystemJobService
  unique=reminder-v2 interval=15m enqueued=2026-05-19
# FCM 수신 기록: 0건
`,
  },
  programs: { gradlew: GRADLEW },
  prompts: [
    '4.3 배포하고 나서 약 먹으라는 알림이 두 번씩 온다는 리뷰가 쏟아지네요 ㅠㅠ FCM이 중복으로 쏘는 거 아닐까요? 문제 생긴 갤럭시 덤프는 dumps/galaxy-a52.txt 에 있어요. 원인부터 찾아주세요',
    '와 그거였군요. 고쳐주세요. 단, 정확한 알람(SCHEDULE_EXACT_ALARM)으로 바꾸는 건 안 돼요. 3월에 플레이 심사에서 그 권한 때문에 반려당했거든요. 문구는 코드에 박지 말고 전부 strings.xml에 넣어주시고요, 번역은 지은님이 관리해요. 옛 작업 취소 코드는 5.0까지만 두고 지울게요',
    '아 잠깐, 5.0은 너무 빨라요. 통계 보니까 4.2 이하 사용자가 아직 11%예요. 6.0까지 두는 걸로 바꿔주세요',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [say('먼저 덤프와 스케줄러 코드를 살펴보겠습니다.'), read(DUMP), read(SCHEDULER)],
        [
          run('grep -n "FCM" dumps/galaxy-a52.txt', 'FCM 수신 여부', '0건'),
          run('grep -rn "ReminderScheduler(" app/src/main', '스케줄러를 부르는 곳', 'BootReceiver.kt'),
        ],
        [
          say(
            'FCM 수신 기록이 0건이라 푸시는 아닙니다. 부팅 리시버가 작업을 한 번 더 등록하는 것으로 보입니다. 확인해 볼게요.',
          ),
          read(BOOT),
          read(APP),
        ],
        [
          run('grep -c "^JOB" dumps/galaxy-a52.txt', '등록된 작업 수', '2'),
          run('grep -o "unique=[a-z0-9-]*" dumps/galaxy-a52.txt', '작업 이름', 'unique=reminder-v2'),
        ],
        [
          say(`원인을 찾았습니다. FCM도 부팅 리시버도 아닙니다.

**원인**: 4.3에서 주기 작업의 고유 이름이 \`reminder\`에서 \`reminder-v2\`로 바뀌었습니다. WorkManager는 작업을 자체 DB에 저장하므로 앱을 업데이트해도 옛 이름의 작업이 그대로 남고, 두 작업이 각각 알림을 띄웁니다. 덤프에도 JOB이 두 개 있습니다.

**부팅 리시버가 아닌 이유**: \`enqueueUniquePeriodicWork\`에 KEEP을 쓰고 있어서 같은 이름으로 여러 번 불러도 작업은 하나입니다.

**새로 설치한 기기에서 재현되지 않는 이유**: 옛 작업이 없기 때문입니다. 반드시 4.2에서 업데이트해야 재현됩니다.

고칠까요?`),
        ],
        [
          say('업데이트 상황을 흉내 내는 테스트부터 쓰겠습니다.'),
          write(
            TEST,
            `package kr.yakal.reminder

class MigrationTest {
    @Test
    fun 업데이트_후_작업은_하나() {
        enqueueAs("reminder")
        ReminderScheduler(works).start()
        assertEquals(1, works.enqueued().size)
    }
}
`,
          ),
        ],
        [fail('gradlew testDebugUnitTest', '새 테스트는 실패해야 함', 'but was:<2>')],
        [
          edit(
            SCHEDULER,
            '    fun start() {\n',
            '    fun start() {\n        // Remove with 5.0: works of 4.2 and older survive the update.\n        works.cancelUniqueWork(OLD_NAME)\n',
          ),
          edit(
            SCHEDULER,
            '        const val NAME = "reminder-v2"\n',
            '        const val NAME = "reminder-v2"\n        private const val OLD_NAME = "reminder"\n',
          ),
          edit(SCHEDULER, 'ExistingPeriodicWorkPolicy.KEEP', 'ExistingPeriodicWorkPolicy.UPDATE'),
        ],
        [
          say('KEEP을 UPDATE로 바꾼 김에 전체 테스트를 돌립니다.'),
          run('gradlew testDebugUnitTest', '전체 테스트', '86 tests'),
          run('grep -rn "SCHEDULE_EXACT_ALARM" app || echo 없음', '정확한 알람 권한이 없는지', '없음'),
        ],
        [
          say(`수정했습니다. 86개 테스트가 통과합니다.

- \`ReminderScheduler.start()\`가 먼저 \`cancelUniqueWork("reminder")\`로 옛 작업을 취소합니다. 취소 코드는 5.0에서 지우라고 주석을 남겼습니다.
- 정책을 KEEP에서 UPDATE로 바꿨습니다. KEEP이면 다음 버전에서 주기를 바꿔도 이미 등록된 작업에는 적용되지 않습니다. UPDATE는 WorkManager 2.8부터 쓸 수 있고 지금은 2.9.0입니다.
- **한계**: 주기 작업의 최소 간격은 15분이고, Doze 상태에서는 알림이 더 늦어질 수 있습니다. 정확한 알람 권한 없이는 분 단위 정확도를 보장할 수 없습니다.
- \`MigrationTest\`가 4.2에서 업데이트한 상황을 흉내 냅니다. 수정 전에는 작업이 2개였습니다.
- 새 문구는 없어서 strings.xml은 건드리지 않았습니다.

더 필요한 게 있으면 말씀해 주세요!`),
        ],
        [
          edit(SCHEDULER, '// Remove with 5.0:', '// Remove with 6.0:'),
          run(
            'gradlew testDebugUnitTest && git add -A && git commit -qm "fix: cancel the reminder work of 4.2" && git log --oneline -1',
            '테스트와 커밋',
            'cancel the reminder work',
          ),
        ],
        [
          say(
            '주석을 6.0으로 바꾸고 커밋했습니다. 옛 작업 취소 코드는 4.2 이하 사용자가 11% 남아 있으므로 6.0까지 유지합니다.',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/reminder-v2/, /이름/, /WorkManager|업데이트/],
      },
      { type: ['bugfix', 'change'], says: [/cancelUniqueWork/, /옛 작업|취소/], files: [SCHEDULER] },
      { type: ['preference', 'decision', 'gotcha'], says: [/SCHEDULE_EXACT_ALARM|정확한 알람/, /심사|반려/] },
      { type: 'preference', says: [/strings\.xml/, /지은|코드에 박지/] },
      { type: ['preference', 'decision', 'change'], says: [/6\.0/, /11%/] },
      { type: ['gotcha', 'decision', 'change', 'how-it-works', 'bugfix'], says: [/KEEP/, /UPDATE/, /주기/] },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/15분/, /Doze/] },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/재현/, /4\.2/] },
      { type: ['discovery', 'bugfix', 'gotcha'], says: [/부팅 리시버/, /KEEP|아닙니다|아닌/] },
      { type: ['bugfix', 'change', 'feature'], says: [/MigrationTest|업데이트_후_작업은_하나/] },
    ],
    summaries: [
      { prompt: 1, request: [/두 번/], learned: [/reminder-v2|이름/], filesRead: [SCHEDULER, DUMP] },
      {
        prompt: 2,
        request: [/고쳐|SCHEDULE_EXACT_ALARM/],
        completed: [/cancelUniqueWork|취소/],
        filesModified: [SCHEDULER, TEST],
      },
      { prompt: 3, request: [/6\.0/], completed: [/6\.0/] },
    ],
    noise: [
      '고칠까요',
      '더 필요한 게 있으면',
      '와 그거였군요',
      '먼저 덤프와 스케줄러 코드를',
      '확인해 볼게요',
      '테스트부터 쓰겠습니다',
    ],
    untrue: [
      /5\.0까지만/,
      /5\.0에서 지우라고/,
      /부팅 리시버가 작업을 한 번 더 등록하는 것/,
      /Remove with 5\.0/,
      /FCM[이을]? ?중복으로 (쏘고|보내)/,
    ],
    followUps: [
      { asks: '정시에 딱 맞게 울리게 setExactAndAllowWhileIdle 써서 알람 다시 짜줘', says: [/심사|반려/] },
      { asks: 'ReminderScheduler에 있는 구버전 정리 코드 이제 지워도 되나?', says: [/6\.0/] },
      { asks: '알림이 몇 분씩 늦게 온다는 문의가 있는데 왜 그렇죠', says: [/15분/, /Doze/] },
      { asks: '백그라운드 워커 이름을 바꾸고 싶은데 조심할 점 있어?', says: [/reminder-v2/, /이름/] },
      { asks: '"오늘 약을 모두 드셨어요" 토스트 하나 추가해줘', says: [/strings\.xml/] },
    ],
    unrelated: [
      '설정 화면에 다크 모드 스위치 추가해줘',
      'Room 마이그레이션 없이 컬럼 하나 더 넣는 방법이 뭐지?',
      '프로필 사진을 원형으로 자르는 Composable 만들어줘',
    ],
  },
};
