import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const TILE = 'lib/chat/message_tile.dart';
const STORE = 'lib/chat/chat_store.dart';
const BUDGET = 'perf/budget.json';

export const flutterScrollKo: SurveySession = {
  name: 'flutter-scroll-ko',
  about: 'A chat list stutters; large avatars are suspected first, a profile run refutes it.',
  kind: 'bug hunt',
  language: 'ko',
  ecosystem: 'flutter',
  files: {
    'pubspec.yaml': `name: dongne_talk
environment:
  sdk: ">=3.4.0 <4.0.0"
dependencies:
  flutter:
    sdk: flutter
  provider: ^6.1.2
`,
    [TILE]: `import 'package:flutter/material.dart';
import 'package:provider/provider.dart';

import 'chat_store.dart';
import 'message.dart';

class MessageTile extends StatelessWidget {
  const MessageTile({super.key, required this.message});

  final Message message;

  @override
  Widget build(BuildContext context) {
    final store = context.watch<ChatStore>();
    final online = store.presence[message.senderId] ?? false;
    return ListTile(
      leading: CircleAvatar(
        backgroundImage: NetworkImage(message.avatarUrl),
        foregroundColor: online ? Colors.green : Colors.grey,
      ),
      title: Text(message.senderName),
      subtitle: Text(message.body),
    );
  }
}
`,
    [STORE]: `import 'dart:async';

import 'package:flutter/foundation.dart';

import 'presence_api.dart';

class ChatStore extends ChangeNotifier {
  ChatStore(this._api) {
    _timer = Timer.periodic(const Duration(milliseconds: 500), (_) => _refresh());
  }

  final PresenceApi _api;
  late final Timer _timer;
  Map<String, bool> _presence = {};

  Map<String, bool> get presence => Map.of(_presence);

  Future<void> _refresh() async {
    _presence = await _api.fetch();
    notifyListeners();
  }

  @override
  void dispose() {
    _timer.cancel();
    super.dispose();
  }
}
`,
    'test_driver/scroll_perf.dart': `// 채팅 목록을 10초 동안 스크롤하면서 프레임 시간을 잰다.
void main() {}
`,
  },
  programs: {
    flutter: `#!/bin/sh
tile=lib/chat/message_tile.dart
if grep -q 'context.watch<ChatStore>' $tile; then
  rebuilds=1240; ms=31.4
  if grep -q 'ResizeImage' $tile; then ms=31.1; fi
elif grep -q 's) => s.presence)' $tile; then
  rebuilds=1228; ms=29.6
else
  rebuilds=38; ms=7.8
fi
case "$1" in
  drive)
    echo "Running in profile mode on SM-A325N"
    echo "average_frame_build_time_millis: $ms"
    echo "MessageTile rebuilds in 10 s: $rebuilds"
    if [ -f perf/budget.json ]; then
      limit=$(sed -n 's/.*"frame_build_ms": \\([0-9]*\\).*/\\1/p' perf/budget.json)
      echo "budget: $limit ms"
      [ "\${ms%.*}" -lt "$limit" ] || { echo "over budget"; exit 1; }
      echo "within budget"
    fi ;;
  test) echo "00:04 +46: All tests passed!" ;;
  analyze) echo "No issues found! (ran in 2.1s)" ;;
esac
`,
  },
  script(projectDir) {
    const { run, read, edit, write } = callsIn(projectDir);
    const drive = 'flutter drive --profile test_driver/scroll_perf.dart';
    return {
      main: [
        [
          say('먼저 채팅 목록 위젯을 살펴보겠습니다.'),
          read(TILE),
          run(drive, '수정 전 프레임 시간 측정', 'average_frame_build_time_millis: 31.4'),
        ],
        [
          say(
            '기준값은 평균 프레임 빌드 31.4ms입니다. 아바타를 원본 크기 그대로 디코딩하는 것이 원인으로 보입니다. `ResizeImage`로 디코딩 크기를 96px로 줄이고 다시 재 보겠습니다.',
          ),
          edit(
            TILE,
            'backgroundImage: NetworkImage(message.avatarUrl),',
            'backgroundImage: ResizeImage(NetworkImage(message.avatarUrl), width: 96),',
          ),
          run(drive, '아바타 축소 후 측정', 'average_frame_build_time_millis: 31.1'),
        ],
        [
          say(
            '31.4ms에서 31.1ms로 사실상 그대로입니다. 이미지 디코딩 가설은 틀렸습니다. 같은 출력에서 눈에 띄는 것은 `MessageTile`이 10초에 1240번 다시 빌드된다는 점입니다. 누가 알림을 보내는지 확인하겠습니다.',
          ),
          read(STORE),
        ],
        [
          say(
            '원인을 찾았습니다. `ChatStore`가 접속 상태를 500ms마다 받아 와서 무조건 `notifyListeners()`를 호출하고, 타일마다 `context.watch<ChatStore>()`를 쓰기 때문에 화면의 모든 타일이 매번 다시 빌드됩니다. `context.select`로 바꿔 보겠습니다.',
          ),
          edit(
            TILE,
            `    final store = context.watch<ChatStore>();
    final online = store.presence[message.senderId] ?? false;`,
            `    final presence = context.select((ChatStore s) => s.presence);
    final online = presence[message.senderId] ?? false;`,
          ),
          run(drive, 'select 적용 후 측정', 'MessageTile rebuilds in 10 s: 1228'),
        ],
        [
          say(
            '아직 1228번, 29.6ms입니다. `presence` getter가 `Map.of`로 호출할 때마다 새 Map을 만들기 때문에 `select`의 비교가 항상 "바뀜"으로 나옵니다. Map 대신 해당 사용자의 bool 값 하나만 골라야 합니다.',
          ),
          edit(
            STORE,
            '  Map<String, bool> get presence => Map.of(_presence);',
            `  Map<String, bool> get presence => Map.of(_presence);

  bool isOnline(String userId) => _presence[userId] ?? false;`,
          ),
          edit(
            TILE,
            `    final presence = context.select((ChatStore s) => s.presence);
    final online = presence[message.senderId] ?? false;`,
            '    final online = context.select((ChatStore s) => s.isOnline(message.senderId));',
          ),
          run(drive, 'bool 하나만 선택한 뒤 측정', 'average_frame_build_time_millis: 7.8'),
          run('flutter test', '전체 테스트', 'All tests passed!'),
        ],
        [
          say(`스크롤 버벅임을 해결했습니다. 평균 프레임 빌드가 31.4ms에서 7.8ms로 줄었습니다. 🎉

## 원인
\`ChatStore\`가 500ms마다 \`notifyListeners()\`를 호출하는데 \`MessageTile\`이 \`context.watch\`로 스토어 전체를 구독하고 있어서, 접속 상태가 바뀌지 않아도 모든 타일이 다시 빌드됐습니다.

## 수정
- \`ChatStore.isOnline(userId)\`를 추가하고, 타일은 \`context.select\`로 이 bool 값만 구독합니다.
- \`presence\` Map을 \`select\`하면 효과가 없습니다. getter가 매번 새 Map을 돌려주기 때문입니다.

## 측정 (갤럭시 A32, profile 모드)
| | 프레임 빌드 | 10초간 리빌드 |
|---|---|---|
| 수정 전 | 31.4ms | 1240 |
| 아바타 축소만 | 31.1ms | 1240 |
| 수정 후 | 7.8ms | 38 |

새 패키지는 추가하지 않았습니다. 아바타 96px 축소는 아직 남아 있는데, 메모리에는 도움이 될 수 있습니다. 더 궁금한 점이 있으면 말씀해 주세요!`),
        ],
        [
          say('아바타 축소를 원래대로 되돌리겠습니다.'),
          edit(
            TILE,
            'backgroundImage: ResizeImage(NetworkImage(message.avatarUrl), width: 96),',
            'backgroundImage: NetworkImage(message.avatarUrl),',
          ),
          run(drive, '되돌린 뒤 측정', 'average_frame_build_time_millis: 7.8'),
          run('git diff --stat', '변경 파일 확인', 'message_tile.dart'),
        ],
        [
          say(
            '`ResizeImage`를 제거했습니다. 태블릿에서 아바타가 흐려지므로 다시 넣지 않겠습니다. 되돌린 뒤에도 7.8ms로 같습니다. 커밋은 하지 않았고, 변경은 `message_tile.dart`와 `chat_store.dart` 두 파일뿐입니다.',
          ),
        ],
        [
          say('예산 파일을 만들고 한 번 돌려 보겠습니다.'),
          write(BUDGET, '{ "frame_build_ms": 12 }\n'),
          run(drive, '예산 적용 확인', 'within budget'),
        ],
        [
          say(
            '`perf/budget.json`에 프레임 빌드 한도를 12ms로 넣었습니다. `flutter drive --profile`로 돌린 스크롤 측정이 이 값을 넘으면 실패합니다. 지금은 7.8ms라 통과합니다. debug 모드 수치는 몇 배 느려서 비교에 쓰면 안 되므로 반드시 profile 모드로, 기준 기기인 A32에서 재야 합니다. 수고하셨습니다!',
          ),
        ],
      ],
    };
  },
  prompts: [
    '채팅 목록 스크롤이 너무 버벅거려요 갤럭시 A32에서 특히 심합니다. 원인 찾아서 고쳐주세요. 패키지는 새로 추가하지 말고요, 보안팀 심사가 한 달 걸려서',
    '오 좋네요. 근데 아바타 축소는 되돌려 주세요 태블릿에서 흐려져요. 그리고 커밋은 항상 제가 직접 합니다',
    '다시 느려지면 바로 알 수 있게 한도를 걸어두죠. 프레임 빌드 12ms 넘으면 실패하게. 기준 기기는 A32로',
  ],
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha', 'how-it-works'],
        says: [/notifyListeners|context\.watch|500 ?ms/, /다시 빌드|리빌드|모든 타일|구독/],
        files: [TILE],
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works'],
        says: [/select/, /새 Map|Map\.of|매번 새/],
      },
      {
        type: ['bugfix', 'discovery', 'change'],
        says: [/31\.4 ?ms/, /7\.8 ?ms/],
      },
      {
        type: ['discovery', 'gotcha', 'bugfix', 'decision'],
        says: [/이미지 디코딩|아바타|ResizeImage/, /31\.1 ?ms|틀렸|그대로/],
      },
      {
        type: ['decision', 'preference', 'change', 'gotcha'],
        says: [/아바타|ResizeImage/, /태블릿/, /흐려/],
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/패키지/, /보안팀|심사|추가하지/],
      },
      {
        type: ['decision', 'change', 'feature', 'preference', 'gotcha'],
        says: [/12 ?ms/, /budget|한도|예산|실패/],
      },
    ],
    niceToHave: [
      {
        type: ['preference', 'decision'],
        says: [/커밋/, /직접|하지 않/],
      },
      {
        type: ['gotcha', 'how-it-works', 'preference', 'discovery'],
        says: [/profile/, /debug/],
      },
      {
        type: ['bugfix', 'change', 'refactor', 'feature'],
        says: [/isOnline/],
        files: [STORE],
      },
      {
        type: ['discovery', 'bugfix', 'gotcha'],
        says: [/1240/, /38|10초/],
      },
      {
        type: ['preference', 'decision', 'how-it-works', 'gotcha'],
        says: [/A32/, /기준/],
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/스크롤/],
        learned: [/notifyListeners|context\.watch|500ms|새 Map/],
        completed: [/isOnline|context\.select|7\.8ms|해결/],
        filesModified: [TILE, STORE],
      },
      { prompt: 2, request: [/아바타|되돌려/], completed: [/ResizeImage|되돌/], filesModified: [TILE] },
      { prompt: 3, request: [/12ms|한도/], completed: [/12ms|budget\.json/], filesModified: [BUDGET] },
    ],
    noise: [/살펴보겠습니다/, /말씀해 주세요/, /수고하셨습니다/, /한 번 돌려 보겠습니다/, /확인하겠습니다/],
    untrue: [
      /디코딩하는 것이 원인으로 보입니다/,
      /(원인은|원인이) ?(아바타|이미지)/,
      /아바타 96px 축소는 아직 남아/,
      /context\.select\(\(ChatStore s\) => s\.presence\)(로|를) (해결|수정)/,
    ],
    followUps: [
      {
        asks: '친구 목록 화면도 접속 상태 점 때문에 끊기는데 어떻게 구독해야 하나요?',
        says: [/select|isOnline/],
      },
      {
        asks: 'provider의 select를 썼는데도 위젯이 계속 다시 그려져요. 왜죠?',
        says: [/새 Map|Map\.of|매번 새/],
      },
      {
        asks: '메모리 아끼게 프로필 사진을 ResizeImage로 줄여도 될까요?',
        says: [/태블릿/],
      },
      {
        asks: 'cached_network_image 패키지를 넣고 싶은데 괜찮을까요?',
        says: [/보안팀|심사|추가하지/],
      },
      {
        asks: 'CI에서 스크롤 성능 측정이 실패했어요. 기준이 몇 ms죠?',
        says: [/12 ?ms/],
      },
    ],
    unrelated: [
      '로그인 화면 문구를 영어로도 번역해 주세요',
      'iOS 푸시 알림 인증서는 어떻게 갱신하나요?',
      '앱 아이콘을 새 로고로 바꾸려면 어느 파일을 고쳐야 해요?',
    ],
  },
};
