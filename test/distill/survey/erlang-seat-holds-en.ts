import { callsIn, say, together } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const SERVER = `-module(hold_server).
-behaviour(gen_server).
-export([start_link/0, hold/3, release/2]).
-export([init/1, handle_call/3, handle_cast/2, handle_info/2]).

start_link() -> gen_server:start_link({local, ?MODULE}, ?MODULE, [], []).

init([]) ->
    ets:new(holds, [named_table, public, {read_concurrency, true}]),
    {ok, #{refs => #{}}}.

handle_call({hold, Show, Seat, Pid}, _From, State = #{refs := Refs}) ->
    Ref = erlang:monitor(process, Pid),
    true = ets:insert(holds, {{Show, Seat}, Pid, erlang:system_time(second)}),
    {reply, ok, State#{refs := Refs#{Ref => {Show, Seat}}}};
handle_call({release, Show, Seat}, _From, State) ->
    true = ets:delete(holds, {Show, Seat}),
    {reply, ok, State}.

handle_cast(_Msg, State) -> {noreply, State}.

handle_info({'DOWN', Ref, process, _Pid, normal}, State = #{refs := Refs}) ->
    {Key, Rest} = maps:take(Ref, Refs),
    true = ets:delete(holds, Key),
    {noreply, State#{refs := Rest}};
handle_info(_Info, State) ->
    {noreply, State}.
`;

const DOWN_NORMAL = "handle_info({'DOWN', Ref, process, _Pid, normal}, State";
const DOWN_ANY = "handle_info({'DOWN', Ref, process, _Pid, _Reason}, State";

const RELEASE = `handle_call({release, Show, Seat}, _From, State) ->
    true = ets:delete(holds, {Show, Seat}),
    {reply, ok, State}.
`;
const RELEASE_DEMONITOR = `handle_call({release, Show, Seat}, _From, State = #{refs := Refs}) ->
    true = ets:delete(holds, {Show, Seat}),
    {Gone, Kept} = split(fun(Key) -> Key =:= {Show, Seat} end, Refs),
    [erlang:demonitor(Ref, [flush]) || Ref <- maps:keys(Gone)],
    {reply, ok, State#{refs := Kept}}.
`;

const SWEEP_INIT = `init([]) ->
    erlang:send_after(60_000, self(), sweep),
`;

const REBAR = `#!/bin/sh
s=src/hold_server.erl
case "$*" in
  *dialyzer*) echo "===> Success typing: 0 warnings"; exit 0 ;;
esac
echo "===> Running Common Test suites..."
if grep -q "process, _Pid, normal" $s; then
  echo "hold_SUITE: client_crash_releases_seat FAILED"
  echo "  expected [] but got [{{show7,b12},<0.311.0>,1741370000}]"
  exit 1
fi
grep -q "demonitor" $s || { echo "hold_SUITE: release_drops_monitor FAILED, 1 monitor left"; exit 1; }
echo "All 46 tests passed."
`;

const SEATCTL = `#!/bin/sh
node=$2
case "$3" in
  count)
    case $node in
      node03) echo "$node holds 41210 sockets 903" ;;
      node11) echo "$node holds 38877 sockets 861" ;;
      *) echo "$node holds 3\${node#node}14 sockets 8\${node#node}" ;;
    esac ;;
  binleak) echo "recon:bin_leak(5) -> [{<0.1204.0>,-41},{<0.998.0>,-37},{<0.77.0>,-12},{<0.1411.0>,-9},{<0.402.0>,-8}]" ;;
  mailbox) echo "hold_server message_queue_len 0, reductions 91423311, memory 18.2 MB" ;;
  monitors) echo "hold_server monitors 41210 (40307 of them on dead or released seats)" ;;
  exits) printf 'exit reasons of ws_conn, last 24 h\\n  {shutdown,timeout}   38122\\n  normal                4410\\n  {shutdown,ssl_closed}  2185\\n' ;;
esac
`;

const HANDLERS = [
  'login',
  'seatmap',
  'hold',
  'pay',
  'refund',
  'ticket',
  'scan',
  'voucher',
  'group',
  'kiosk',
  'report',
  'ping',
  'shows',
  'prices',
];
const NODES = Array.from({ length: 24 }, (_, index) => `node${String(index + 1).padStart(2, '0')}`);

export const erlangSeatHoldsEn: SurveySession = {
  name: 'erlang-seat-holds-en',
  about:
    'Seats stay held after a lost connection; a sweeper is added and taken out; the time of a hold changes twice.',
  kind: 'bug hunt',
  language: 'en',
  ecosystem: 'erlang',
  long: true,
  files: {
    'src/hold_server.erl': SERVER,
    'src/ws_conn.erl':
      '-module(ws_conn).\n\nwebsocket_info(idle, State) ->\n    %% no pong for 30 s\n    exit({shutdown, timeout});\nwebsocket_info(_, State) -> {ok, State}.\n',
    'config/sys.config': '[{seathold, [{hold_ttl, 600}, {port, 8443}]}].\n',
    'test/hold_SUITE.erl':
      '-module(hold_SUITE).\n-export([all/0]).\n\nall() -> [hold_once, release_frees_seat, client_leaves_releases_seat].\n',
    'src/metrics.erl':
      '-module(metrics).\n-export([collect/0]).\n\n%% sockets only\ncollect() -> [{seathold_sockets, ets:info(sockets, size)}].\n',
    'dashboards/seathold.json': '{ "panels": [{ "title": "holds", "expr": "sum(seathold_sockets)" }] }\n',
    'rebar.config': '{erl_opts, [debug_info, warnings_as_errors]}.\n{deps, [cowboy, recon]}.\n',
    ...Object.fromEntries(
      HANDLERS.map((name) => [
        `src/handlers/h_${name}.erl`,
        `-module(h_${name}).\n-export([handle/2]).\n\nhandle(_Msg, State) -> {ok, State}.\n`,
      ]),
    ),
  },
  programs: { rebar3: REBAR, seatctl: SEATCTL },
  script(projectDir) {
    const { run, fail, read, edit } = callsIn(projectDir);
    return {
      main: [
        [
          say(
            "I'll count holds and sockets on every node before I read code, so we know how widespread it is.",
          ),
          ...NODES.slice(0, 6).map((node) => run(`seatctl -n ${node} count`, `Count on ${node}`, node)),
        ],
        ...together(
          NODES.slice(6).map((node) => run(`seatctl -n ${node} count`, `Count on ${node}`, node)),
          6,
        ),
        [
          say(
            'node03 (41210 holds for 903 sockets) and node11 (38877) are far off, the other 22 are around 3000. Those two are the ones behind the mobile load balancer. My first hypothesis is a leak of refc binaries in the websocket handlers that keeps connection processes alive.',
          ),
          run('seatctl -n node03 binleak', 'Check for leaked binaries', 'bin_leak'),
          run('seatctl -n node03 mailbox', 'Mailbox of hold_server', 'message_queue_len 0'),
        ],
        [
          say(
            'bin_leak frees next to nothing (41 binaries at most), so binaries are not it. The mailbox of hold_server is empty as well, so it is not falling behind either. I read the handlers for anything that holds a seat and forgets it.',
          ),
          ...HANDLERS.slice(0, 7).map((name) => read(`src/handlers/h_${name}.erl`)),
        ],
        HANDLERS.slice(7).map((name) => read(`src/handlers/h_${name}.erl`)),
        [
          say('The handlers are clean. On to the server itself and the connection process.'),
          read('src/hold_server.erl'),
          read('src/ws_conn.erl'),
          run('seatctl -n node03 exits', 'Exit reasons of connections', '{shutdown,timeout}'),
          run('seatctl -n node03 monitors', 'Monitors of hold_server', '40307'),
        ],
        [
          say(
            "Found it. hold_server only matches `{'DOWN', Ref, process, Pid, normal}`. A phone that loses its network makes ws_conn exit with `{shutdown, timeout}` after 30 s without a pong, that DOWN message falls into the catch-all handle_info and the hold stays forever. 38122 of the 44717 exits on node03 in the last day were `{shutdown,timeout}`; that is why only the nodes behind the mobile load balancer grow.",
          ),
          read('test/hold_SUITE.erl'),
        ],
        [
          edit(
            'test/hold_SUITE.erl',
            'client_leaves_releases_seat]',
            'client_leaves_releases_seat,\n          client_crash_releases_seat, release_drops_monitor]',
          ),
          fail('rebar3 ct', 'Run the suites', 'client_crash_releases_seat FAILED'),
        ],
        [
          edit('src/hold_server.erl', DOWN_NORMAL, DOWN_ANY),
          fail('rebar3 ct', 'Run again', '1 monitor left'),
        ],
        [
          say(
            'Second defect: release/2 deletes the row but never demonitors, so the DOWN of that client later deletes a hold that by then may belong to another customer. It needs `erlang:demonitor(Ref, [flush])`; without flush a DOWN that is already in the mailbox would still be handled.',
          ),
          edit('src/hold_server.erl', RELEASE, RELEASE_DEMONITOR),
          edit('src/hold_server.erl', 'init([]) ->\n', SWEEP_INIT),
          run('rebar3 ct', 'Run again', 'All 46 tests passed'),
        ],
        [
          say(
            'Both defects are fixed and all 46 tests pass:\n\n- hold_server releases a seat on DOWN with any reason, not only `normal`.\n- release/2 demonitors with `[flush]`.\n- I also added a sweeper that deletes holds older than the TTL every 60 s, as a safety net.\n\nThe 41k stale rows on node03 and node11 are still there; they go away with the next release, because the ETS table dies with the node. I restarted nothing.',
          ),
        ],
        [
          say('Right, removing it.'),
          edit('src/hold_server.erl', SWEEP_INIT, 'init([]) ->\n'),
          run('rebar3 ct && rebar3 dialyzer', 'Tests and dialyzer', 'All 46 tests passed'),
        ],
        [
          say(
            'The sweeper is out again, only the DOWN clause and the demonitor remain. 46 tests pass, dialyzer has 0 warnings.',
          ),
        ],
        [
          say('Checking what the dashboard and the exporter measure.'),
          read('dashboards/seathold.json'),
          read('src/metrics.erl'),
          run("grep -rn 'ets:info' src | head", 'Is the size of the table exported', 'sockets'),
          run('git log --oneline -- dashboards | head -3', 'History of the dashboard'),
        ],
        [
          say(
            'Because nothing measures it. metrics.erl exports only the number of sockets; the panel that is titled "holds" plots the same series, `seathold_sockets`. So it looked flat all along. I first thought the alert threshold was too high, but there is no alert on holds at all. I have not changed the dashboard.',
          ),
        ],
        [read('config/sys.config'), edit('config/sys.config', '{hold_ttl, 600}', '{hold_ttl, 480}')],
        [say('hold_ttl went from 600 to 480 seconds in config/sys.config.')],
        [
          edit(
            'config/sys.config',
            '[{seathold, [{hold_ttl, 480}',
            '%% 7 minutes: contract with Kinopolis, annex 3\n[{seathold, [{hold_ttl, 420}',
          ),
          run(
            'git commit -qam "fix(holds): release seats on any exit reason" && git log --oneline | head -1',
            'Commit',
            'release seats',
          ),
        ],
        [
          say(
            'hold_ttl is 420 seconds (7 minutes) now, with the Kinopolis contract named in a comment above it. Committed, not released: the rollout has to wait until Sunday after 22:00.',
          ),
        ],
        [say('You too!')],
      ],
    };
  },
  prompts: [
    "holds are piling up again, node03 has 41k rows in the holds table and about 900 sockets. find out why please. and dont restart anything: it's saturday, prod nodes are off limits between 18 and 22 on weekends, always",
    'the sweeper has to go. it hides the next bug from us, i want to see a leak in the graphs. just the real fix',
    'ok. why did we not see this in grafana tho? only look, the dashboards belong to the platform team',
    'while we are here, a hold is 10 min, product wants it shorter. make it 8',
    'ah damn, just got told the contract with Kinopolis says seven minutes. 7 then, and write the reason next to it. commit but dont roll out',
    'thanks, have a nice evening!',
  ],
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha', 'how-it-works'],
        says: [/DOWN/, /normal/, /shutdown|catch-all|any reason|any exit/],
        prompt: 1,
      },
      {
        type: ['bugfix', 'gotcha', 'discovery', 'how-it-works'],
        says: [/demonitor/, /flush|another customer|release\/2/],
        prompt: 1,
      },
      {
        type: ['decision', 'preference', 'change'],
        says: [/sweeper/, /hides|out again|has to go/],
        prompt: 2,
      },
      {
        type: ['decision', 'change', 'preference', 'gotcha', 'how-it-works'],
        says: [/Kinopolis/, /7 min|seven min|420/],
        prompt: 5,
      },
      {
        type: ['discovery', 'gotcha', 'how-it-works'],
        says: [/seathold_sockets|number of sockets|metrics\.erl/, /holds/],
        prompt: 3,
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/18 (and|to) 22|18.22/, /restart|off limits/],
        prompt: 1,
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha', 'bugfix'], says: [/binar/, /not it|next to nothing|hypothesis/] },
      { type: ['discovery', 'how-it-works', 'bugfix'], says: [/node03/, /mobile|41210|node11/] },
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/stale|41k/, /ETS|next release/] },
      {
        type: ['change', 'decision', 'discovery', 'gotcha'],
        says: [/not released|Sunday after 22|roll ?out/],
      },
      { type: ['change', 'decision'], says: [/hold_ttl/] },
      { type: ['preference', 'decision'], says: [/dashboards/, /platform team/] },
      { type: ['discovery', 'change', 'bugfix'], says: [/46 tests|hold_SUITE/] },
      { type: ['discovery', 'how-it-works', 'gotcha'], says: [/mailbox|message_queue_len/] },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/holds/],
        learned: [/DOWN|shutdown/],
        filesModified: ['src/hold_server.erl', 'test/hold_SUITE.erl'],
      },
      {
        prompt: 2,
        request: [/sweeper/],
        completed: [/sweeper|DOWN clause/],
        filesModified: ['src/hold_server.erl'],
      },
      { prompt: 3, request: [/grafana/], learned: [/sockets/] },
      { prompt: 4, optional: true, request: [/hold/], filesModified: ['config/sys.config'] },
      {
        prompt: 5,
        request: [/Kinopolis/],
        completed: [/420|7 minutes/],
        filesModified: ['config/sys.config'],
      },
      { prompt: 6, optional: true },
    ],
    noise: ['have a nice evening', 'You too!', "I'll count holds", 'Right, removing it'],
    untrue: [
      /hypothesis is a leak of refc(?![\s\S]*(not it|next to nothing))/,

      /sweeper (that )?(now )?(deletes|runs|cleans)/,
      /hold_ttl (is|was set to|of) (now )?480/,
      /hold_ttl (is|stays at) (now )?600/,
      /(leak|cause|reason).{0,20} (is|was|are|were) (the )?(leaked )?(refc )?binaries/,
      /hold_server (is|was) falling behind(?! either)/,
      /(was|were|has been) (released|rolled out|deployed)(?! on)/,
      /node03 (was|has been) restarted/,
      /alert threshold (is|was) too high(?!,)/,
      /dashboard (was|has been) (changed|fixed|corrected)/,
    ],
    followUps: [
      {
        asks: 'the holds graph on the dashboard never moves, is it broken?',
        says: [/seathold_sockets|number of sockets|metrics\.erl/],
      },
      {
        asks: 'seats stay blocked when a customer walks into a tunnel, how does hold_server notice a lost phone?',
        says: [/DOWN/, /shutdown|any reason|normal/],
      },
      {
        asks: 'could we add a periodic job that purges old entries from the holds table?',
        says: [/sweeper/, /hides|out again|has to go/],
      },
      {
        asks: 'marketing asks whether a hold could last 12 minutes, what speaks against raising hold_ttl?',
        says: [/Kinopolis/],
      },
      {
        asks: 'node05 needs a kernel update, can I bounce it on Saturday at eight in the evening?',
        says: [/18 (and|to) 22|18.22|off limits/],
      },
      {
        asks: 'why do we pass flush when dropping the monitor in release?',
        says: [/demonitor/, /mailbox|flush/],
      },
    ],
    unrelated: [
      'add a dark variant of the ticket PDF',
      'which colour does the kiosk use for wheelchair places?',
      'bump cowboy to the newest patch version',
    ],
  },
};
