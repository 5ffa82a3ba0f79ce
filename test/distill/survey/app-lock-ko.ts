import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const MAIN = 'app/src/main/java/kr/pharm/stock';
const LOCK = `${MAIN}/lock/AppLock.kt`;
const PROMPT = `${MAIN}/lock/UnlockPrompt.kt`;
const ACTIVITY = `${MAIN}/MainActivity.kt`;
const SCAN = `${MAIN}/scan/ScanSession.kt`;
const GRADLE = 'app/build.gradle.kts';
const TEST = 'app/src/test/java/kr/pharm/stock/lock/AppLockTest.kt';

export const appLockKo: SurveySession = {
  name: 'app lock ko',
  about: '약국 재고 앱에 잠금을 넣는다. 시간이 바뀌고, 구형 태블릿에서 죽고, 해결책이 한 번 뒤집힌다.',
  kind: 'feature',
  language: 'ko',
  ecosystem: 'android',
  files: {
    [GRADLE]: `android {
    defaultConfig {
        minSdk = 28
        targetSdk = 35
        versionName = "3.7.2"
    }
    flavorDimensions += "place"
    productFlavors {
        create("store") { dimension = "place" }
        create("kiosk") { dimension = "place" }
    }
}
dependencies {
    implementation("androidx.biometric:biometric:1.1.0")
    implementation("androidx.lifecycle:lifecycle-process:2.8.6")
}
`,
    [ACTIVITY]: `package kr.pharm.stock

class MainActivity : AppCompatActivity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        setContentView(R.layout.main)
    }
}
`,
    [SCAN]: `package kr.pharm.stock.scan

/** 연속 바코드 스캔. 카메라 화면은 별도 액티비티다. */
object ScanSession {
    var isActive: Boolean = false
        private set

    fun start() { isActive = true }
    fun finish() { isActive = false }
}
`,
    'gradle/libs-notes.md': `# androidx.biometric
- 1.1.0 (사용 중), 1.2.0-alpha05, 1.4.0-alpha02
- BiometricPrompt.Builder 는 모든 버전에서 API 30 미만의 BIOMETRIC_STRONG|DEVICE_CREDENTIAL 과 단독 DEVICE_CREDENTIAL 을 거부한다.
`,
  },
  programs: {
    gradle: `f=app/src/main/java/kr/pharm/stock/lock/AppLock.kt
t=app/src/test/java/kr/pharm/stock/lock/AppLockTest.kt
case "$*" in
  *test*)
    if grep -q 'processDeath' $t && grep -q 'stoppedAt: Long? = null' $f; then
      echo "AppLockTest > processDeath_alwaysLocks FAILED"
      echo "    expected to be true, but was false"
      echo "5 tests completed, 1 failed"
      exit 1
    fi
    echo "BUILD SUCCESSFUL in 21s, $(grep -c '@Test' $t) tests" ;;
  *assemble*) echo "BUILD SUCCESSFUL in 48s" ;;
esac
`,
    adb: `if grep -q KeyguardManager app/src/main/java/kr/pharm/stock/lock/UnlockPrompt.kt; then
  echo "SM-T510 API 29: ConfirmDeviceCredentialActivity displayed +412ms"
else
  echo "SM-T510 API 29: FATAL java.lang.IllegalArgumentException: Authenticator combination is unsupported on API 29"
fi
`,
  },
  prompts: [
    '앱을 5분 동안 안 쓰면 잠기게 해주세요. 풀 때는 지문이나 기기 PIN. 화면 디자인은 나중에 할 거라 대충이면 돼요.',
    '스캔 중에는 절대 잠그면 안 돼요, 입고 검수할 때 한 번에 40분씩 찍어요. 프로세스가 죽었다 살아나면 무조건 잠금이요. 아 그리고 5분 말고 2분이요, 어제 점장 회의에서 바뀌었어요. kiosk 빌드는 잠금 자체를 빼주세요. 조제실은 장갑 끼고 써서 지문이 안 먹어요.',
    'QA에서 갤럭시 탭 A로 돌렸더니 잠금 뜨는 순간 죽는답니다. java.lang.IllegalArgumentException: Authenticator combination is unsupported on API 29: BIOMETRIC_STRONG | DEVICE_CREDENTIAL 매장 태블릿 절반이 이 모델이에요.',
    '얼굴 인식으로 풀리는 건 안 됩니다. 향정 의약품 재고가 보이는 화면이라 본사 보안팀이 막았어요. 구형 태블릿은 그냥 PIN만 쓰죠. 금요일 3.8에 들어가야 해요.',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [say('관련 코드부터 보겠습니다.'), read(ACTIVITY), read(GRADLE), read(SCAN)],
        [
          say(
            '방식은 두 가지입니다. 백그라운드로 갈 때 타이머를 걸거나, 나간 시각을 적어 두고 돌아올 때 비교하거나. 타이머는 Doze에 들어가면 제때 울리지 않으니 비교하는 쪽으로 갑니다. 시각은 `System.currentTimeMillis` 대신 `SystemClock.elapsedRealtime`을 씁니다. 벽시계는 설정에서 뒤로 돌리면 잠금을 피할 수 있으니까요.',
          ),
          write(
            LOCK,
            `package kr.pharm.stock.lock

class AppLock(private val now: () -> Long = SystemClock::elapsedRealtime) : DefaultLifecycleObserver {
    private var stoppedAt: Long? = null
    var isLocked = false
        private set

    override fun onStop(owner: LifecycleOwner) { stoppedAt = now() }

    override fun onStart(owner: LifecycleOwner) {
        val since = stoppedAt ?: return
        if (now() - since >= IDLE_MS) isLocked = true
    }

    fun unlock() { isLocked = false }

    companion object { const val IDLE_MS = 5 * 60_000L }
}
`,
          ),
          write(
            PROMPT,
            `package kr.pharm.stock.lock

fun unlockPrompt() = BiometricPrompt.PromptInfo.Builder()
    .setTitle("잠금 해제")
    .setAllowedAuthenticators(BIOMETRIC_STRONG or DEVICE_CREDENTIAL)
    .build()
`,
          ),
          write(
            TEST,
            `package kr.pharm.stock.lock

class AppLockTest {
    @Test fun staysOpen_beforeTheLimit() = Unit
    @Test fun locks_afterTheLimit() = Unit
    @Test fun ignoresWallClock() = Unit
}
`,
          ),
        ],
        [
          edit(
            ACTIVITY,
            '        setContentView(R.layout.main)',
            '        setContentView(R.layout.main)\n        ProcessLifecycleOwner.get().lifecycle.addObserver(appLock)',
          ),
          run('gradle :app:testStoreDebugUnitTest', '잠금 테스트', 'BUILD SUCCESSFUL'),
        ],
        [
          say(`잠금을 넣었습니다. 백그라운드로 나간 지 5분이 지나면 다음에 돌아올 때 잠깁니다.

- 액티비티 생명주기가 아니라 \`ProcessLifecycleOwner\`를 봅니다. 카메라 화면이 별도 액티비티라서, 액티비티 기준이면 화면 회전이나 스캔 화면 이동도 "나감"으로 칩니다.
- 경과 시간은 \`elapsedRealtime\`으로 잽니다.

정해 주셔야 할 것이 두 가지 있습니다. 연속 스캔 중에는 어떻게 할까요? 그리고 시스템이 프로세스를 죽였다가 다시 띄운 경우에는요?`),
        ],
        [
          edit(LOCK, '5 * 60_000L', '2 * 60_000L'),
          edit(
            LOCK,
            '        if (now() - since >= IDLE_MS) isLocked = true',
            '        if (!ScanSession.isActive && now() - since >= IDLE_MS) isLocked = true',
          ),
          edit(
            TEST,
            '    @Test fun ignoresWallClock() = Unit',
            '    @Test fun ignoresWallClock() = Unit\n    @Test fun scanning_neverLocks() = Unit\n    @Test fun processDeath_alwaysLocks() = Unit',
          ),
          edit(
            GRADLE,
            '        create("store") { dimension = "place" }\n        create("kiosk") { dimension = "place" }',
            '        create("store") { dimension = "place"; buildConfigField("boolean", "LOCK_ENABLED", "true") }\n        create("kiosk") { dimension = "place"; buildConfigField("boolean", "LOCK_ENABLED", "false") }',
          ),
        ],
        [fail('gradle :app:testStoreDebugUnitTest', '테스트', 'processDeath_alwaysLocks FAILED')],
        [
          say(
            '프로세스가 새로 뜨면 `stoppedAt`이 null이라 그냥 통과합니다. 시각을 DataStore에 저장하는 방법도 있지만, 재부팅하면 elapsedRealtime이 0부터 다시 시작해서 저장된 값이 의미가 없어집니다. 처음 상태를 잠김으로 두는 게 단순하고 확실합니다.',
          ),
          edit(
            LOCK,
            '    private var stoppedAt: Long? = null\n    var isLocked = false',
            '    // 프로세스가 새로 뜨면 언제 나갔는지 알 수 없으므로 잠긴 채로 시작한다.\n    private var stoppedAt = 0L\n    var isLocked = BuildConfig.LOCK_ENABLED',
          ),
          edit(
            LOCK,
            '        val since = stoppedAt ?: return\n        if (!ScanSession.isActive && now() - since >= IDLE_MS) isLocked = true',
            '        if (!BuildConfig.LOCK_ENABLED || ScanSession.isActive) return\n        if (now() - stoppedAt >= IDLE_MS) isLocked = true',
          ),
        ],
        [run('gradle :app:testStoreDebugUnitTest', '테스트 다시', '5 tests')],
        [
          say(`반영했습니다. 테스트 5개 통과입니다.

- 대기 시간 2분 (\`AppLock.IDLE_MS\`)
- \`ScanSession.isActive\`인 동안은 잠그지 않음
- 앱은 항상 잠긴 상태로 시작하므로 프로세스가 죽었다 살아나도 잠금
- kiosk는 \`BuildConfig.LOCK_ENABLED = false\``),
        ],
        [
          say(
            'biometric 1.1.0이 오래돼서 그런 것 같습니다. 1.2로 올리면 해결될 가능성이 큽니다. 라이브러리 메모를 확인해 볼게요.',
          ),
          run('cat gradle/libs-notes.md', 'biometric 버전별 메모', '모든 버전에서'),
          run('adb -s SM-T510 shell am start kr.pharm.stock', '탭 A에서 재현', 'unsupported on API 29'),
        ],
        [
          say(
            '버전 문제가 아니었습니다. `BIOMETRIC_STRONG | DEVICE_CREDENTIAL` 조합은 어느 버전에서든 API 30 미만이면 거부합니다. API 28–29에서 허용되는 조합은 `BIOMETRIC_WEAK | DEVICE_CREDENTIAL`뿐입니다.',
          ),
          edit(
            PROMPT,
            '.setAllowedAuthenticators(BIOMETRIC_STRONG or DEVICE_CREDENTIAL)',
            '.setAllowedAuthenticators((if (Build.VERSION.SDK_INT >= 30) BIOMETRIC_STRONG else BIOMETRIC_WEAK) or DEVICE_CREDENTIAL)',
          ),
          run('gradle :app:assembleStoreDebug', '빌드', 'BUILD SUCCESSFUL'),
        ],
        [
          say(
            '고쳤습니다. 구형 태블릿(API 28–29)에서는 `BIOMETRIC_WEAK | DEVICE_CREDENTIAL`을 씁니다. 한 가지 알아 두실 점은, WEAK에는 카메라만 쓰는 2D 얼굴 인식도 포함된다는 것입니다. 괜찮은지 확인 부탁드립니다.',
          ),
        ],
        [
          say(
            'PIN만 쓰려면 `DEVICE_CREDENTIAL` 하나만 넘기면 될 것 같지만, 아까 메모대로 그것도 API 30 미만에서는 거부됩니다. 남는 길은 `KeyguardManager.createConfirmDeviceCredentialIntent`입니다. API 29에서 deprecated지만 동작은 합니다.',
          ),
          write(
            PROMPT,
            `package kr.pharm.stock.lock

/** API 30 미만에서 BiometricPrompt 는 PIN 만 받는 설정을 거부하므로 시스템 화면을 띄운다. */
fun unlock(activity: FragmentActivity, launcher: ActivityResultLauncher<Intent>, prompt: BiometricPrompt) {
    if (Build.VERSION.SDK_INT < 30) {
        val keyguard = activity.getSystemService(KeyguardManager::class.java)
        launcher.launch(keyguard.createConfirmDeviceCredentialIntent("잠금 해제", null))
        return
    }
    prompt.authenticate(
        BiometricPrompt.PromptInfo.Builder()
            .setTitle("잠금 해제")
            .setAllowedAuthenticators(BIOMETRIC_STRONG or DEVICE_CREDENTIAL)
            .build(),
    )
}
`,
          ),
        ],
        [
          run(
            'gradle :app:assembleStoreDebug :app:testStoreDebugUnitTest',
            '빌드와 테스트',
            'BUILD SUCCESSFUL',
          ),
          run(
            'adb -s SM-T510 shell am start kr.pharm.stock',
            '탭 A에서 확인',
            'ConfirmDeviceCredentialActivity displayed',
          ),
        ],
        [
          say(`탭 A(SM-T510, API 29)에서 더 이상 죽지 않고 PIN 화면이 뜹니다.

| 기기 | 해제 방법 |
|---|---|
| API 30 이상 | \`BIOMETRIC_STRONG\` 지문 또는 PIN |
| API 28–29 | 기기 PIN만 (\`KeyguardManager\`) |

주의할 점 하나: 기기에 PIN이 설정돼 있지 않으면 \`createConfirmDeviceCredentialIntent\`가 null을 돌려줍니다. 지금은 그 경우를 처리하지 않았으니, 3.8이 나가기 전에 매장 태블릿에 PIN이 모두 걸려 있는지 확인하거나 MDM 정책으로 강제해야 합니다.`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['feature', 'decision', 'preference', 'change'],
        says: [/2분/, /잠|대기 시간|IDLE_MS/],
        prompt: 2,
      },
      { type: ['preference', 'decision', 'feature', 'change'], says: [/스캔 중|ScanSession/, /잠그/] },
      {
        type: ['preference', 'decision', 'feature', 'change'],
        says: [/kiosk/, /장갑|잠금 자체|LOCK_ENABLED/],
      },
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/BIOMETRIC_STRONG/, /DEVICE_CREDENTIAL/, /API 30 미만|API 2[89]/],
      },
      { type: ['preference', 'decision'], says: [/얼굴 인식/, /보안팀|향정/], prompt: 4 },
      {
        type: ['bugfix', 'change', 'gotcha', 'decision', 'discovery', 'feature'],
        says: [/KeyguardManager|createConfirmDeviceCredentialIntent/, /PIN/],
        files: [PROMPT],
      },
      {
        type: ['gotcha', 'discovery', 'change', 'bugfix'],
        says: [/null/, /PIN이 (설정돼|모두)/, /createConfirmDeviceCredentialIntent|MDM/],
      },
    ],
    niceToHave: [
      {
        type: ['decision', 'gotcha', 'discovery', 'feature'],
        says: [/elapsedRealtime/, /currentTimeMillis|벽시계|뒤로/],
      },
      {
        type: ['decision', 'gotcha', 'discovery', 'feature', 'how-it-works'],
        says: [/ProcessLifecycleOwner/, /액티비티/],
      },
      {
        type: ['decision', 'bugfix', 'gotcha', 'feature'],
        says: [/프로세스/, /잠긴 (채로|상태로)|잠김으로/],
      },
      { type: ['decision', 'gotcha', 'discovery'], says: [/DataStore/, /재부팅/] },
      { type: ['decision', 'discovery', 'gotcha'], says: [/타이머/, /Doze/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/잠기게/],
        completed: [/잠금|잠깁니다/],
        filesModified: [LOCK, ACTIVITY],
      },
      {
        prompt: 2,
        request: [/스캔|2분|kiosk/],
        completed: [/2분|kiosk|LOCK_ENABLED/],
        filesModified: [LOCK, GRADLE],
      },
      {
        prompt: 3,
        request: [/갤럭시 탭 A|IllegalArgumentException/],
        learned: [/API 30 미만|API 28–29/],
        filesModified: [PROMPT],
      },
      {
        prompt: 4,
        request: [/얼굴 인식|PIN/],
        completed: [/PIN|KeyguardManager/],
        nextSteps: [/MDM|3\.8/],
        filesModified: [PROMPT],
      },
    ],
    noise: [
      '관련 코드부터 보겠습니다',
      '라이브러리 메모를 확인해 볼게요',
      '정해 주셔야 할 것이',
      '확인 부탁드립니다',
      '반영했습니다. 테스트 5개 통과',
      '대충이면 돼요',
    ],
    untrue: [
      /5분이 지나면/,
      /5분 동안 안 쓰면 잠/,
      /1\.2로 올리면 해결/,
      /1\.1\.0이 오래돼서/,
      /에서는 .?BIOMETRIC_WEAK \| DEVICE_CREDENTIAL.?을 씁니다/,
    ],
    followUps: [
      { asks: '자동 잠금까지 걸리는 시간이 얼마로 정해졌죠?', says: [/2분/] },
      {
        asks: '안드로이드 10 기기에서 BiometricPrompt 설정할 때 조심할 게 있나요',
        says: [/DEVICE_CREDENTIAL/, /KeyguardManager|거부/],
      },
      {
        asks: '구형 태블릿도 얼굴로 열 수 있게 해달라는 매장 요청이 왔는데 넣어도 될까요?',
        says: [/보안팀|향정/],
      },
      { asks: '조제실 태블릿에는 왜 잠금 화면이 안 떠요?', says: [/장갑|kiosk/] },
      {
        asks: '입고 작업자가 바코드 찍는 도중에 화면이 잠겼다고 하는데 원래 그런가요?',
        says: [/스캔 중|ScanSession/],
      },
      {
        asks: '시간 비교를 System.currentTimeMillis 로 바꾸면 안 되는 이유가 있나요?',
        says: [/뒤로 돌리|벽시계|elapsedRealtime/],
      },
      {
        asks: '어떤 매장에서 잠금 해제 화면이 아예 안 나오고 앱이 멈춘다고 합니다. 비밀번호를 안 걸어 둔 기기래요.',
        says: [/null|MDM/],
      },
    ],
    unrelated: [
      '재고 목록 정렬을 유통기한 빠른 순으로 바꿔줘요.',
      'gradle 빌드 캐시를 CI에서 켜려면 어떻게 해요?',
      '발주서 PDF에 약국 로고가 잘려서 나옵니다.',
    ],
  },
};
