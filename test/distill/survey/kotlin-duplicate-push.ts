import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CONSUMER = 'worker/src/main/kotlin/push/PushConsumer.kt';
const SMS = 'worker/src/main/kotlin/sms/SmsSender.kt';
const RESULTS = 'common/src/main/kotlin/common/Results.kt';
const SHUTDOWN_TEST = 'worker/src/test/kotlin/push/PushConsumerShutdownTest.kt';
const LOG = 'logs/push-worker-0521.log';
const LOCAL_DEPLOY = 'deploy/worker.yaml';

export const kotlinDuplicatePush: SurveySession = {
  name: 'kotlin-duplicate-push',
  about:
    'Pushes are sent twice after every deployment: not Kafka, but a caught CancellationException in a retry loop.',
  kind: 'bug hunt',
  language: 'ko',
  ecosystem: 'kotlin',
  files: {
    'settings.gradle.kts': 'rootProject.name = "notify"\ninclude(":common", ":worker")\n',
    [RESULTS]: `package common

import kotlin.coroutines.cancellation.CancellationException

suspend inline fun <T> suspendRunCatching(crossinline block: suspend () -> T): Result<T> =
    try {
        Result.success(block())
    } catch (e: CancellationException) {
        throw e
    } catch (e: Exception) {
        Result.failure(e)
    }
`,
    [CONSUMER]: `package push

import kotlinx.coroutines.delay

class PushConsumer(
    private val records: RecordSource,
    private val gateway: PushGateway,
    private val offsets: OffsetCommitter,
) {
    suspend fun consume() {
        while (true) {
            val batch = records.poll()
            runCatching { send(batch) }
                .onFailure { log.warn("retry", it); delay(500) }
        }
    }

    private suspend fun send(batch: List<PushRecord>) {
        batch.forEach { gateway.push(it) }
        offsets.commit(batch)
    }
}
`,
    [SMS]: `package sms

import kotlinx.coroutines.delay

class SmsSender(private val client: SmsClient) {
    suspend fun sendAll(queue: SmsQueue) {
        while (true) {
            runCatching { client.send(queue.take()) }.onFailure { delay(1000) }
        }
    }
}
`,
    [LOCAL_DEPLOY]: `kind: Deployment
metadata: { name: push-worker }
spec:
  template:
    spec:
      terminationGracePeriodSeconds: 30
`,
    [LOG]: `14:01:58.210 INFO  poll batch=200 sincePrev=3.8s
14:02:02.340 INFO  poll batch=200 sincePrev=4.1s
14:02:06.120 INFO  poll batch=200 sincePrev=3.7s
14:02:10.004 INFO  SIGTERM received, cancelling scope
14:02:10.011 WARN  retry kotlinx.coroutines.JobCancellationException: StandaloneCoroutine was cancelled
14:02:10.012 WARN  retry kotlinx.coroutines.JobCancellationException: StandaloneCoroutine was cancelled
14:02:10.012 WARN  retry kotlinx.coroutines.JobCancellationException: StandaloneCoroutine was cancelled
14:02:54.981 WARN  retry kotlinx.coroutines.JobCancellationException: StandaloneCoroutine was cancelled
`,
  },
  programs: {
    gradle: `#!/bin/sh
cancelled_ends() { grep -q 'suspendRunCatching\\|catch (e: CancellationException)' ${CONSUMER}; }
case "$*" in
  *PushConsumerShutdownTest*)
    failed=0
    echo "> Task :worker:compileTestKotlin"
    echo "> Task :worker:test"
    if cancelled_ends; then echo "PushConsumerShutdownTest > 취소하면 루프가 끝난다() PASSED"; else
      echo "PushConsumerShutdownTest > 취소하면 루프가 끝난다() FAILED"
      echo "    kotlinx.coroutines.test.UncompletedCoroutinesError: After waiting for 10s, the test body did not run to completion"
      failed=1; fi
    if grep -q '커밋' ${SHUTDOWN_TEST}; then
      if grep -q NonCancellable ${CONSUMER}; then echo "PushConsumerShutdownTest > 발송한 건은 커밋까지 끝낸다() PASSED"; else
        echo "PushConsumerShutdownTest > 발송한 건은 커밋까지 끝낸다() FAILED"
        echo "    org.opentest4j.AssertionFailedError: expected: <200> but was: <0>"
        failed=1; fi
    fi
    if [ $failed = 1 ]; then echo "BUILD FAILED in 21s"; exit 1; fi
    echo "BUILD SUCCESSFUL in 12s" ;;
  *test*) echo "> Task :common:test UP-TO-DATE"; echo "> Task :worker:test"; echo "BUILD SUCCESSFUL in 38s" ;;
  *) echo "Welcome to Gradle 8.7!" ;;
esac
`,
  },
  prompts: [
    '배포할 때마다 푸시 중복으로 왔다는 CS가 들어와요. 어제도 배포 직후 3천건쯤. push-worker 로그는 logs/ 에 넣어놨고.. 카프카 리밸런싱 아닐까 싶은데 확실하진 않음. 원인부터 찾아줘',
    '오 이거였네. 근데 grace period 30초 아니고 45초예요. deploy/worker.yaml 은 로컬 kind 용이고 실제 값은 helm-values 레포에 있음. 그리고 앞으로 suspend 함수 안에서는 runCatching 쓰지 말고 common 에 있는 suspendRunCatching 으로 통일합시다. SmsSender 는 메시징플랫폼팀 소유라 우리가 고치면 안되고 docs/issues 에 메모만 남겨줘요',
    '굿 ㅋㅋ 커밋은 제가 할게요 수고',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('로그와 컨슈머 코드부터 보겠습니다.'),
          read(LOG),
          read(CONSUMER),
          run('ls -R worker/src common/src | head -40', '모듈 구조 확인'),
        ],
        [
          say(
            '먼저 리밸런싱 가설부터 숫자로 확인해 볼게요. poll 간격이 max.poll.interval.ms를 넘었는지 보면 됩니다.',
          ),
          run(
            `grep -o 'sincePrev=[0-9.]*' ${LOG} | cut -d= -f2 | sort -n | tail -1; grep -ci rebalanc ${LOG} || true`,
            '최대 poll 간격과 리밸런싱 로그 수',
            '4.1',
          ),
        ],
        [
          say(
            '리밸런싱은 아닙니다. poll 간격이 최대 4.1초라 한도 300초 근처에도 안 가고, 로그에 rebalance가 한 건도 없어요. 이상한 건 SIGTERM 이후입니다. 취소 예외가 retry 경고로 계속 찍히다가 종료 로그 없이 끊깁니다.',
          ),
          read(LOCAL_DEPLOY),
          run('grep -rn "runCatching" worker/src common/src', 'runCatching 사용처', 'PushConsumer.kt'),
        ],
        [
          say(
            '이제 보이네요. `runCatching`이 CancellationException까지 삼켜서 scope.cancel() 후에도 while 루프가 끝나지 않습니다. 그래서 파드가 grace period를 다 쓰고 SIGKILL로 죽고, 이미 발송했지만 오프셋을 커밋하지 못한 배치가 새 파드에서 다시 발송됩니다. 테스트로 재현해 보겠습니다.',
          ),
          write(
            SHUTDOWN_TEST,
            `package push

import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.runTest
import org.junit.jupiter.api.Test

class PushConsumerShutdownTest {
    @Test
    fun \`취소하면 루프가 끝난다\`() = runTest {
        val job = launch { PushConsumer(endless(), fakeGateway(), fakeOffsets()).consume() }
        job.cancelAndJoin()
    }
}
`,
          ),
        ],
        [
          fail(
            "gradle :worker:test --tests '*PushConsumerShutdownTest*'",
            '재현 테스트',
            'UncompletedCoroutinesError',
          ),
        ],
        [
          say(
            '재현됐습니다. terminationGracePeriodSeconds를 늘리는 방법도 생각해 봤지만, 루프가 영원히 안 끝나니 SIGKILL 시점만 늦출 뿐이라 제외했습니다.',
          ),
          edit(
            CONSUMER,
            `            runCatching { send(batch) }
                .onFailure { log.warn("retry", it); delay(500) }
`,
            `            try {
                send(batch)
            } catch (e: CancellationException) {
                throw e
            } catch (e: Exception) {
                log.warn("retry", e)
                delay(500)
            }
`,
          ),
          edit(
            CONSUMER,
            'import kotlinx.coroutines.delay\n',
            'import kotlinx.coroutines.CancellationException\nimport kotlinx.coroutines.delay\n',
          ),
        ],
        [
          run(
            "gradle :worker:test --tests '*PushConsumerShutdownTest*'",
            '재현 테스트 다시',
            'BUILD SUCCESSFUL',
          ),
        ],
        [
          say(
            '루프는 끝나는데, 그럼 push와 commit 사이에서 취소되면 어떻게 되지? 그 경우도 테스트를 추가해 봅니다.',
          ),
          edit(
            SHUTDOWN_TEST,
            `        job.cancelAndJoin()
    }
`,
            `        job.cancelAndJoin()
    }

    @Test
    fun \`발송한 건은 커밋까지 끝낸다\`() = runTest {
        val offsets = fakeOffsets()
        val job = launch { PushConsumer(oneBatch(200), fakeGateway(), offsets).consume() }
        offsets.awaitCommitStarted()
        job.cancelAndJoin()
        assertEquals(200, offsets.committed)
    }
`,
          ),
        ],
        [
          fail(
            "gradle :worker:test --tests '*PushConsumerShutdownTest*'",
            '커밋 도중 취소',
            'expected: <200> but was: <0>',
          ),
        ],
        [
          say(
            '예상대로 절반만 고친 셈이었네요. 취소를 제대로 전파하면 이번엔 offsets.commit() 자체가 중간에 취소돼서 중복이 그대로 남습니다. 그래서 발송+커밋을 withContext(NonCancellable)로 묶어야 합니다.',
          ),
          edit(
            CONSUMER,
            `        batch.forEach { gateway.push(it) }
        offsets.commit(batch)
`,
            `        // 발송한 건은 반드시 커밋까지 끝낸다: 중간에 취소되면 다음 파드가 다시 보낸다.
        withContext(NonCancellable) {
            batch.forEach { gateway.push(it) }
            offsets.commit(batch)
        }
`,
          ),
          edit(
            CONSUMER,
            'import kotlinx.coroutines.delay\n',
            'import kotlinx.coroutines.NonCancellable\nimport kotlinx.coroutines.delay\nimport kotlinx.coroutines.withContext\n',
          ),
        ],
        [
          run(
            "gradle :worker:test --tests '*PushConsumerShutdownTest*'",
            '종료 테스트 전체',
            '커밋까지 끝낸다() PASSED',
          ),
        ],
        [run('gradle test', '전체 테스트', 'BUILD SUCCESSFUL')],
        [
          say(`원인을 찾아서 고쳤습니다! 🎯

**원인**: 카프카가 아니라 종료 처리였습니다. \`PushConsumer.consume()\`의 \`runCatching\`이 취소 예외를 삼키고 있었어요.

**수정**
1. CancellationException은 다시 던집니다.
2. 발송과 커밋은 \`NonCancellable\` 안에서 함께 끝냅니다.

**참고**
- 배치 하나(200건) 처리에 4초 정도라 grace period 30초(deploy/worker.yaml 기준) 안에 충분히 들어옵니다. 다만 로그는 45초 뒤에 끊겨서 이 부분은 앞뒤가 안 맞습니다.
- OOM처럼 바로 SIGKILL 되는 경우는 여전히 중복될 수 있습니다. 게이트웨이에 멱등키가 없어서 컨슈머 쪽에서는 막을 방법이 없습니다.
- \`SmsSender.sendAll()\`에도 똑같은 패턴이 있습니다.

SmsSender도 같이 고쳐 드릴까요?`),
        ],
        [say('네, 헬퍼 구현부터 확인하고 바꾸겠습니다.'), read(RESULTS), read(CONSUMER)],
        [
          edit(
            CONSUMER,
            `            try {
                send(batch)
            } catch (e: CancellationException) {
                throw e
            } catch (e: Exception) {
                log.warn("retry", e)
                delay(500)
            }
`,
            `            suspendRunCatching { send(batch) }
                .onFailure { log.warn("retry", it); delay(500) }
`,
          ),
          edit(
            CONSUMER,
            'import kotlinx.coroutines.CancellationException\n',
            'import common.suspendRunCatching\n',
          ),
        ],
        [
          write(
            'docs/issues/sms-sender-cancellation.md',
            `# SmsSender: 취소가 전파되지 않음

메시징플랫폼팀 소유. \`SmsSender.sendAll()\`의 runCatching이 CancellationException을 삼켜 종료 시 SIGKILL까지 루프가 돈다.
PushConsumer와 같은 원인이며, 우리 쪽에서는 수정하지 않는다.
`,
          ),
          run("gradle :worker:test --tests '*PushConsumerShutdownTest*'", '종료 테스트', 'BUILD SUCCESSFUL'),
        ],
        [run('git status --short', '변경 파일 확인')],
        [
          say(`반영했습니다.

### 변경
- \`PushConsumer\`는 \`suspendRunCatching\`을 사용합니다.
- SmsSender는 건드리지 않고 메모만 남겼습니다.

### 45초
이제 로그와 맞아떨어집니다. 14:02:10 SIGTERM에서 14:02:54까지가 딱 그 시간이에요.

추가로 필요한 게 있으면 언제든 말씀해 주세요!`),
        ],
        [say('네, 변경 사항은 워킹 트리에 그대로 두었습니다. 수고하셨습니다!')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/runCatching/, /CancellationException|취소 예외/, /삼/],
        files: [CONSUMER],
        prompt: 1,
      },
      {
        type: ['bugfix', 'gotcha', 'discovery', 'decision'],
        says: [/NonCancellable/, /커밋|commit/],
        prompt: 1,
      },
      { type: 'preference', says: [/suspend 함수/, /suspendRunCatching/], prompt: 2 },
      {
        type: ['preference', 'gotcha', 'how-it-works', 'discovery'],
        says: [/45초/, /helm-values|로컬/],
        prompt: 2,
      },
      { type: ['preference', 'decision'], says: [/SmsSender/, /메시징플랫폼팀/], prompt: 2 },
      { type: ['gotcha', 'discovery'], says: [/OOM|SIGKILL/, /중복/, /멱등키/], prompt: 1 },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/리밸런싱/, /4\.1초/], prompt: 1 },
      {
        type: ['decision', 'discovery', 'gotcha'],
        says: [/terminationGracePeriodSeconds/, /늦출/],
        prompt: 1,
      },
      { type: ['discovery', 'gotcha'], says: [/SmsSender/, /같은|똑같은/], prompt: 1 },
      { type: ['change', 'refactor', 'bugfix'], says: [/PushConsumer/, /suspendRunCatching/], prompt: 2 },
    ],
    summaries: [
      {
        prompt: 1,
        request: ['푸시', '중복'],
        learned: [/runCatching/],
        completed: [/NonCancellable|다시 던/],
        filesModified: [CONSUMER, SHUTDOWN_TEST],
      },
      {
        prompt: 2,
        request: ['suspendRunCatching'],
        completed: [/suspendRunCatching/],
        filesModified: [CONSUMER],
      },
    ],
    noise: [
      '로그와 컨슈머 코드부터 보겠습니다',
      '이제 보이네요',
      'SmsSender도 같이 고쳐 드릴까요',
      '언제든 말씀해 주세요',
      '수고하셨습니다',
      '원인을 찾아서 고쳤습니다!',
      'BUILD FAILED in 21s',
      '굿 ㅋㅋ',
    ],
    untrue: [
      /grace period\s*(는|은|가)?\s*30초(?!\s*아니)/,
      /원인은[^.]{0,15}(리밸런싱|카프카)(?!가 아니)/,
      /SmsSender(도|를)[^.]{0,20}(고쳤|수정했)/,
    ],
    followUps: [
      {
        asks: '파드가 내려갈 때 정리할 수 있는 시간이 최대 얼마나 돼? 드레인 로직 타임아웃 정하려고',
        says: [/45초/],
      },
      {
        asks: '코루틴 쪽 에러 처리 코드 새로 짜는데 우리 팀에서 쓰는 방식 있어?',
        says: [/suspendRunCatching/],
      },
      {
        asks: '문자 발송 쪽 종료가 느리다는데 우리가 바로 패치해도 되나',
        says: [/SmsSender/, /메시징플랫폼/],
      },
      {
        asks: '메모리 부족으로 워커가 죽었는데 알림이 두 번 나간 고객이 있대. 왜 그런지 봐줘',
        says: [/멱등키/],
      },
      {
        asks: 'PushConsumer 에서 NonCancellable 블록 없애도 되지 않아? 코드가 지저분해 보여서',
        says: [/NonCancellable/, /커밋|commit/],
      },
    ],
    unrelated: [
      '관리자 공지 화면에 다국어 제목 필드 추가해줘',
      'build.gradle.kts 에 ktlint 플러그인 붙여줘',
      'README 에 로컬 실행 방법 정리해줘',
    ],
  },
};
