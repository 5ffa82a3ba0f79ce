import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const SERVER = 'internal/ws/server.go';
const HUB = 'internal/ws/hub.go';
const CLIENT = 'internal/ws/client.go';
const PUBSUB = 'internal/pubsub/redis.go';

export const goGatewayGoroutinesKo: SurveySession = {
  name: 'go-gateway-goroutines-ko',
  about:
    '웹소켓 게이트웨이 OOM: 레디스 구독을 먼저 의심하지만 인증 실패 경로의 writePump 누수였고, 부하 테스트 중에 죽는다.',
  kind: 'bug hunt',
  language: 'ko',
  ecosystem: 'go',
  files: {
    'go.mod': 'module example.com/gateway\n\ngo 1.22\n',
    [SERVER]: `package ws

func (s *Server) Handle(w http.ResponseWriter, r *http.Request) {
	conn, err := s.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	c := NewClient(conn)
	go c.writePump()
	if err := s.auth.Check(r.Context(), conn); err != nil {
		conn.Close()
		return
	}
	s.hub.Register(c)
	c.readPump()
}
`,
    [HUB]: `package ws

type Hub struct {
	clients    map[*Client]bool
	register   chan *Client
	unregister chan *Client
}

func (h *Hub) Run() {
	for {
		select {
		case c := <-h.register:
			h.clients[c] = true
		case c := <-h.unregister:
			if h.clients[c] {
				delete(h.clients, c)
				close(c.send)
			}
		}
	}
}
`,
    [CLIENT]: `package ws

type Client struct {
	conn *websocket.Conn
	send chan []byte
}

func (c *Client) writePump() {
	for msg := range c.send {
		if err := c.conn.WriteMessage(websocket.TextMessage, msg); err != nil {
			return
		}
	}
}
`,
    [PUBSUB]: 'package pubsub\n\n// One subscription per room, shared by all clients of the room.\n',
    'scripts/load.sh': '#!/bin/sh\nexec loadgen -addr "$1" -bad-token 0.1 -for 30m\n',
    'debug/goroutines.txt': `goroutine profile: total 18921
18432 @ 0x43e0b6 0x40a4a5 0x7c1b2e
#	0x7c1b2d	example.com/gateway/internal/ws.(*Client).writePump+0x4d	internal/ws/client.go:9
412 @ 0x43e0b6 0x7c0f11
#	0x7c0f10	example.com/gateway/internal/ws.(*Client).readPump+0x90	internal/ws/client.go:31
3 @ 0x43e0b6 0x6a11f2
#	0x6a11f1	example.com/gateway/internal/pubsub.(*Subscriber).loop+0x51	internal/pubsub/redis.go:44
`,
  },
  programs: {
    go: `#!/bin/sh
case "$*" in
  *"TestRejectedClient"*)
    if awk '/writePump/{w=NR} /Register/{r=NR} END{exit !(w>r)}' internal/ws/server.go; then
      echo "ok  	example.com/gateway/internal/ws	0.412s"
    else
      echo "--- FAIL: TestRejectedClientLeavesNoGoroutine (0.31s)"
      echo "    server_test.go:27: goroutines before=6 after=106"
      echo "FAIL	example.com/gateway/internal/ws	0.330s"
      exit 1
    fi ;;
  *vet*) ;;
  *) echo "go version go1.22.5 linux/amd64" ;;
esac
`,
    loadgen: '#!/bin/sh\necho "dialing $2"\ntouch load.started\nsleep 100\n',
  },
  prompts: [
    'ws 게이트웨이가 3일쯤 지나면 2GB 넘겨서 OOM으로 죽음. 프로덕션에서 뜬 덤프는 debug/goroutines.txt 에 넣어놨어. 원인 찾아서 고쳐줘. 아 그리고 부하테스트는 스테이징 말고 꼭 로컬에서만 돌려, 저번에 스테이징 레디스 터뜨려서 욕먹음 ㅠ 에러 감쌀 땐 fmt.Errorf %w 만 쓰고 pkg/errors 는 넣지마',
  ],
  how: { cut: 'killed', when: 'load.started' },
  script: (dir) => {
    const { run, fail, read, edit, write, cut } = callsIn(dir);
    return {
      main: [
        [
          say('덤프부터 보겠습니다. 룸마다 레디스 구독을 여니까 구독 해제가 빠진 게 아닐까 싶네요.'),
          run('head -8 debug/goroutines.txt', '고루틴 덤프 확인', '18432'),
          read(PUBSUB),
        ],
        [
          say(
            '레디스 쪽은 아닙니다. 덤프에서 pubsub 고루틴은 3개뿐이고 구독은 룸 단위로 공유되고 있어요. 18,921개 중 18,432개가 전부 writePump에서 채널을 기다리고 있습니다.',
          ),
          read(CLIENT),
          read(HUB),
          read(SERVER),
        ],
        [
          say(
            '찾았습니다. `Handle`이 인증 전에 writePump를 띄우는데, 인증에 실패하면 conn만 닫고 돌아갑니다. 허브에 등록된 적이 없는 클라이언트라 아무도 `c.send`를 닫지 않고, writePump는 영원히 남습니다. 토큰 만료된 앱이 5초마다 재접속하니 하루에 6천 개씩 쌓이는 셈이에요.',
          ),
          write(
            'internal/ws/server_test.go',
            `package ws

func TestRejectedClientLeavesNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	for i := 0; i < 100; i++ {
		dialWithToken(t, "expired")
	}
	if after := runtime.NumGoroutine(); after > before+5 {
		t.Fatalf("goroutines before=%d after=%d", before, after)
	}
}
`,
          ),
        ],
        [
          fail(
            'go test ./internal/ws -run TestRejectedClient',
            '누수 재현 테스트',
            'goroutines before=6 after=106',
          ),
        ],
        [
          say(
            '재현됐습니다. 실패 분기에서 `close(c.send)`를 부르는 방법도 있지만 쓰지 않겠습니다. 허브도 같은 채널을 닫기 때문에 타이밍이 겹치면 close of closed channel 패닉으로 프로세스 전체가 내려갑니다. 대신 writePump를 Register 다음에 시작하면 send를 닫는 주체가 허브 하나로 유지됩니다.',
          ),
          edit(SERVER, '\tgo c.writePump()\n\tif err', '\tif err'),
        ],
        [edit(SERVER, '\ts.hub.Register(c)\n', '\ts.hub.Register(c)\n\tgo c.writePump()\n')],
        [
          run('go test ./internal/ws -run TestRejectedClient', '다시 테스트', 'ok'),
          run('go vet ./...', '정적 검사'),
        ],
        [
          say(
            '통과합니다. 이제 로컬에서 잘못된 토큰 10%를 섞어 30분 부하를 걸어 보고 고루틴 수가 평평한지 확인하겠습니다.',
          ),
          cut('sh scripts/load.sh localhost:8080', '로컬 부하 테스트'),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'gotcha', 'discovery'],
        says: [/인증|등록된 적이 없는/, /writePump/, /닫지 않|남습니다/],
        prompt: 1,
      },
      {
        type: ['decision', 'gotcha'],
        says: [/close\(c\.send\)|close of closed channel/, /패닉/],
        prompt: 1,
      },
      { type: 'preference', says: [/부하\s?테스트/, /로컬에서만/, /스테이징/], prompt: 1 },
      { type: 'preference', says: [/%w/, /pkg\/errors/], prompt: 1 },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha'], says: [/레디스|pubsub/, /3개|룸 단위/], prompt: 1 },
      { type: ['discovery', 'bugfix', 'gotcha'], says: [/18,?432/, /writePump/], prompt: 1 },
      { type: ['bugfix', 'discovery', 'gotcha'], says: [/5초마다|6천/, /재접속|토큰/], prompt: 1 },
      { type: ['decision', 'bugfix'], says: [/Register/, /허브 하나/], files: [SERVER], prompt: 1 },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/OOM/],
        learned: [/writePump|send/],
        filesModified: [SERVER],
      },
    ],
    noise: ['덤프부터 보겠습니다', '욕먹음', '0.412s', '통과합니다. 이제'],
    untrue: [
      /(부하\s?테스트|30분 부하)\S* (통과|성공|완료|끝)/,
      /원인은 레디스|레디스 구독(이|을|의) (누수|해제하지 않)/,
    ],
    followUps: [
      {
        asks: '로그인 거절된 소켓이 쌓이면 서버 메모리가 늘어나던 적 있었지? 이유가 뭐였어',
        says: [/writePump|c\.send/, /인증/],
      },
      {
        asks: '클라이언트를 끊을 때 에러 경로에서 직접 채널을 닫아버려도 될까?',
        says: [/패닉/],
      },
      {
        asks: '성능 측정 좀 하려는데 staging 서버에 트래픽 쏴도 되나요',
        says: [/로컬/],
      },
      {
        asks: 'errors.Wrap 으로 스택까지 남기고 싶은데 라이브러리 하나 추가할게',
        says: [/pkg\/errors/, /%w/],
      },
    ],
    unrelated: [
      '관리자 페이지에 다크 모드 토글 추가해줘',
      'README 에 라이선스 배지 달아줘',
      '이메일 템플릿에서 로고 이미지 크기를 줄이자',
    ],
  },
};
