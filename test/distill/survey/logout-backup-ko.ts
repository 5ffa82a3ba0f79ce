import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const STORE = 'app/src/main/java/kr/moim/auth/SessionStore.kt';
const REFRESHER = 'app/src/main/java/kr/moim/auth/TokenRefresher.kt';
const MANIFEST = 'app/src/main/AndroidManifest.xml';
const RULES31 = 'app/src/main/res/xml/data_extraction_rules.xml';
const RULES30 = 'app/src/main/res/xml/backup_rules.xml';
const LOG = 'logs/session-loss.txt';

const GRADLE = `#!/bin/sh
case "$*" in
  *lintDebug*)
    if [ -f ${RULES31} ] && ! grep -q 'device-transfer' ${RULES31}; then
      echo "Error: Missing <device-transfer> section [DataExtractionRules]"; echo "BUILD FAILED in 41s"; exit 1; fi
    echo "BUILD SUCCESSFUL in 44s" ;;
  *testDebugUnitTest*) echo "SessionStoreTest > 7 tests completed"; echo "BUILD SUCCESSFUL in 1m 12s" ;;
  *) echo "unknown task"; exit 1 ;;
esac
`;

const losses = Array.from({ length: 23 }, (_, i) => {
  const device = ['SM-S911N', 'SM-A546S', 'Pixel 7'][i % 3];
  return `2026-02-${String((i % 27) + 1).padStart(2, '0')} ver=4.8.${i % 3} device=${device} restored=true refresh=ok cause=AEADBadTagException at SessionStore.open`;
});

export const logoutBackup: SurveySession = {
  name: '로그인이 풀리는 문제',
  about: '토큰 갱신을 의심했지만 로그가 반박하고, 원인은 자동 백업으로 복원된 암호화 파일이었다.',
  kind: 'bug hunt',
  language: 'ko',
  ecosystem: 'android',
  files: {
    'app/build.gradle.kts':
      'android {\n  defaultConfig {\n    minSdk = 24\n    targetSdk = 35\n    versionName = "4.8.2"\n  }\n}\n',
    [MANIFEST]: `<manifest xmlns:android="http://schemas.android.com/apk/res/android">
  <application
      android:name=".MoimApp"
      android:allowBackup="true"
      android:label="@string/app_name" />
</manifest>
`,
    [STORE]: `package kr.moim.auth

class SessionStore(private val context: Context) {
    private fun open(): SharedPreferences = EncryptedSharedPreferences.create(
        context, "session_secure", masterKey(context),
        PrefKeyEncryptionScheme.AES256_SIV, PrefValueEncryptionScheme.AES256_GCM,
    )

    fun load(): Session? = try {
        open().getString("session", null)?.let(Session::parse)
    } catch (e: GeneralSecurityException) {
        null
    }
}
`,
    [REFRESHER]: `package kr.moim.auth

class TokenRefresher(private val api: AuthApi, private val store: SessionStore) {
    suspend fun refresh(): Session? {
        val session = store.load() ?: return null
        return api.refresh(session.refreshToken).also(store::save)
    }
}
`,
    [LOG]: `${losses.join('\n')}\n`,
  },
  programs: { gradle: GRADLE },
  prompts: [
    '4.8.0 이후로 로그인이 자꾸 풀린다는 리뷰가 올라옵니다. logs/session-loss.txt 에 로그 뽑아놨어요. 토큰 갱신 쪽 같은데 원인 좀 찾아주세요',
    '아 4.8.0에서 allowBackup 켠 게 저예요ㅠ 임시저장 글 때문에 백업은 계속 켜둬야 합니다. 세션 파일만 빼주세요. minSdk 24라서 구형 기기도 돼야 하고요. 커밋 메시지는 영어로 부탁해요, 팀 규칙이라',
    'PR 설명에 영향 사용자 1.2%라고 쓰셨던데 그건 전체 로그아웃 비율이고 이 건은 0.3%예요. 고쳐주세요',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('토큰 갱신 코드와 로그부터 보겠습니다.'),
          read(REFRESHER),
          run(`head -3 ${LOG}; wc -l ${LOG}`, '로그 훑어보기', 'AEADBadTagException'),
        ],
        [
          say('갱신 실패가 원인이라면 로그에 refresh=fail 이 있어야 합니다. 세어 보겠습니다.'),
          run(
            `echo refresh_fail=$(grep -c refresh=fail ${LOG}) restored=$(grep -c restored=true ${LOG}) tag=$(grep -c AEADBadTag ${LOG})`,
            '원인별 집계',
            'refresh_fail=0 restored=23 tag=23',
          ),
        ],
        [read(STORE), read(MANIFEST), run('git log --oneline -3', '최근 커밋')],
        [
          say(`원인을 찾았습니다. 아직 수정한 것은 없습니다.

### 원인
토큰 갱신 문제가 아닙니다. 23건 중 \`refresh=fail\`은 0건이고, 23건 전부 \`restored=true\`에 \`AEADBadTagException\`입니다.

4.8.0부터 \`allowBackup="true"\`라서 자동 백업이 \`session_secure\` 파일까지 복원합니다. 그런데 암호화 키는 기기의 Android Keystore에만 있고 백업되지 않습니다. 그래서 재설치나 기기 변경 후에는 복원된 파일을 복호화할 수 없고, \`SessionStore.load()\`가 예외를 삼키고 null을 돌려주니 로그아웃된 것처럼 보입니다.

### 선택지
1. \`allowBackup\`을 끈다: 간단하지만 다른 데이터도 백업이 안 됩니다.
2. 세션 파일만 백업에서 제외한다.

어느 쪽으로 할까요?`),
        ],
        [
          say('세션 파일만 제외하겠습니다.'),
          write(
            RULES31,
            `<data-extraction-rules>
  <cloud-backup>
    <exclude domain="sharedpref" path="session_secure.xml" />
  </cloud-backup>
</data-extraction-rules>
`,
          ),
          write(
            RULES30,
            `<full-backup-content>
  <exclude domain="sharedpref" path="session_secure.xml" />
</full-backup-content>
`,
          ),
          edit(
            MANIFEST,
            '      android:allowBackup="true"\n',
            '      android:allowBackup="true"\n      android:dataExtractionRules="@xml/data_extraction_rules"\n      android:fullBackupContent="@xml/backup_rules"\n',
          ),
        ],
        [fail('gradle :app:lintDebug', 'Lint 실행', 'Missing <device-transfer>')],
        [
          say(
            '클라우드 백업만 막으면 케이블로 기기를 옮길 때는 여전히 복원됩니다. `device-transfer`는 따로 적어야 합니다.',
          ),
          edit(
            RULES31,
            '  </cloud-backup>\n',
            '  </cloud-backup>\n  <device-transfer>\n    <exclude domain="sharedpref" path="session_secure.xml" />\n  </device-transfer>\n',
          ),
          edit(
            STORE,
            '    } catch (e: GeneralSecurityException) {\n        null\n',
            '    } catch (e: GeneralSecurityException) {\n        // Restored from a backup: the key stayed on the old device.\n        context.deleteSharedPreferences("session_secure")\n        null\n',
          ),
        ],
        [run('gradle :app:lintDebug :app:testDebugUnitTest', 'Lint와 테스트', 'BUILD SUCCESSFUL')],
        [
          write('PR.md', '## 세션 파일을 자동 백업에서 제외\n\n영향 사용자: 1.2%\n'),
          run(
            'git add -A && git commit -qm "Exclude the encrypted session file from backup" && git log --oneline -1',
            '커밋',
            'Exclude the encrypted session',
          ),
        ],
        [
          say(`수정하고 커밋했습니다(메시지는 영어).

- API 31 이상은 \`${RULES31}\`, 30 이하는 \`${RULES30}\`을 읽습니다. minSdk가 24라서 두 파일 모두 필요하고, 제외 목록을 바꿀 때는 양쪽을 같이 고쳐야 합니다.
- API 31 쪽은 \`cloud-backup\`과 \`device-transfer\` 두 곳에 따로 적어야 합니다. 하나만 적으면 기기 간 이전에서 같은 문제가 납니다.
- \`SessionStore.load()\`는 복호화에 실패하면 파일을 지웁니다. 이미 깨진 파일을 가진 사용자는 한 번 다시 로그인하면 끝입니다. 전에는 파일이 남아 있어서 로그인할 때마다 저장이 실패했습니다.
- 임시저장 글 백업은 그대로 유지됩니다.

남은 일: 4.8.3 배포 후 Crashlytics에서 \`AEADBadTagException\`이 줄어드는지 확인.`),
        ],
        [edit('PR.md', '영향 사용자: 1.2%', '영향 사용자: 0.3% (전체 로그아웃 비율 1.2% 중)')],
        [say('PR 설명을 고쳤습니다. 이 문제의 영향 사용자는 0.3%이고, 1.2%는 전체 로그아웃 비율입니다.')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha', 'how-it-works'],
        says: [/백업/, /Keystore|암호화 키/, /session_secure|복원/],
      },
      { type: ['preference', 'decision'], says: [/임시저장/, /백업/] },
      {
        type: ['gotcha', 'change', 'bugfix', 'how-it-works', 'discovery', 'decision'],
        says: [/API 31|data_extraction_rules/, /30 이하|backup_rules/, /두 파일|양쪽|minSdk/],
      },
      {
        type: ['gotcha', 'discovery', 'how-it-works', 'bugfix'],
        says: [/device-transfer/, /cloud-backup|클라우드|기기/],
      },
      { type: ['preference'], says: [/커밋 메시지/, /영어/] },
      { type: ['preference', 'discovery', 'change', 'gotcha'], says: [/0\.3%/, /영향 사용자|이 건/] },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/토큰 갱신/, /아닙니다|0건/] },
      { type: ['bugfix', 'change', 'gotcha'], says: [/SessionStore/, /지웁니다|다시 로그인|삼키/] },
      { type: ['discovery', 'decision', 'change'], says: [/4\.8\.3/, /Crashlytics/] },
    ],
    summaries: [
      { prompt: 1, request: [/로그인/], learned: [/백업/] },
      {
        prompt: 2,
        request: [/세션 파일/],
        completed: [/backup_rules|data_extraction_rules|device-transfer/],
        nextSteps: [/4\.8\.3|Crashlytics/],
        filesModified: [MANIFEST, RULES31, RULES30, STORE],
      },
      { prompt: 3, optional: true, request: [/0\.3%/], completed: [/0\.3%/] },
    ],
    noise: [
      '토큰 갱신 코드와 로그부터 보겠습니다',
      '어느 쪽으로 할까요',
      '세어 보겠습니다',
      'BUILD SUCCESSFUL',
    ],
    untrue: [
      /영향 사용자: 1\.2%/,
      /(이 문제|이 건)의 영향 사용자는 1\.2%/,
      /토큰 갱신(이|이 로그아웃) 원인(입니다|이다)/,
      /allowBackup.{0,8}(껐|끕니다|껐습니다)/,
    ],
    followUps: [
      { asks: 'allowBackup 그냥 false로 바꿔도 되나요?', says: [/임시저장/] },
      {
        asks: '새 폰으로 바꾼 사용자가 다시 인증해야 한대요. 예전에 비슷한 일 있었나요?',
        says: [/Keystore|암호화 키|복원|device-transfer/],
      },
      {
        asks: '암호화 프리퍼런스 파일을 하나 더 추가하려는데 뭘 조심해야 하죠?',
        says: [/양쪽|두 파일|device-transfer/],
      },
      { asks: '작업 끝났으니 커밋해줘', says: [/영어/] },
      { asks: '저번 로그아웃 버그로 몇 퍼센트나 피해를 봤죠?', says: [/0\.3%/] },
    ],
    unrelated: [
      '모임 목록 화면에 당겨서 새로고침 넣어주세요',
      'Compose에서 remember랑 rememberSaveable 차이가 뭐예요?',
      '프로필 사진이 가로로 눌려 보여요, 비율 맞춰주세요',
    ],
  },
};
