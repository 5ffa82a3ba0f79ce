import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const TOML = 'runner/buildkitd.toml';
const CRON = 'runner/cron.d/docker-clean';
const CREATE = 'runner/create-builder.sh';
const RUNBOOK = 'docs/runbook-runner.md';

const DOCKER = `#!/bin/sh
case "$*" in
  "system df")
    printf 'TYPE            TOTAL   ACTIVE  SIZE      RECLAIMABLE\\n'
    printf 'Images          64      9       71.2GB    38GB (53%%)\\n'
    printf 'Containers      11      4       3.1GB     0.4GB\\n'
    printf 'Local Volumes   6       6       291.4GB   0B (0%%)\\n'
    printf 'Build Cache     0       0       0B        0B\\n' ;;
  "volume ls"*) printf 'buildx_buildkit_ci0_state\\ngitlab-runner-cache\\n' ;;
  "buildx ls"*) printf 'NAME/NODE  DRIVER/ENDPOINT   STATUS\\nci*        docker-container  running\\n' ;;
  "buildx du --builder ci"*)
    if [ -e .builder-new ]; then echo 'Total: 0B'; else echo 'Reclaimable: 286.9GB'; echo 'Total: 288.3GB'; fi ;;
  "buildx rm ci") touch .builder-removed; echo 'ci removed' ;;
  "buildx create"*)
    [ -e .builder-removed ] || { echo 'ERROR: existing instance for "ci" but no append mode, specify the node name to make changes for existing instances' >&2; exit 1; }
    touch .builder-new; echo ci ;;
  "buildx inspect"*) printf 'Name: ci\\nGC Policy rule#0:\\n All: true\\n Max Used Space: 74.5GiB\\n' ;;
  "image ls"*) echo 'registry.local/base   lts   3f1c9e   4 months ago   2.1GB' ;;
  *) echo "docker: $*" >&2; exit 1 ;;
esac
`;

const DF = `#!/bin/sh
if [ -e .builder-new ]; then use=41%; else use=97%; fi
printf 'Filesystem      Size  Used Use%% Mounted on\\n/dev/nvme0n1p2  450G     -  %s /var/lib/docker\\n' $use
`;

export const dockerRunnerDiskZh: SurveySession = {
  name: 'docker runner disk zh',
  about: 'A full disk of a CI runner: the nightly cleaning never reached the cache that filled it.',
  kind: 'operations',
  language: 'zh',
  ecosystem: 'docker',
  files: {
    [CRON]: '30 3 * * * root docker system prune -f --filter until=24h\n',
    [CREATE]: `#!/bin/sh
docker buildx create --name ci --driver docker-container --use
`,
    [RUNBOOK]: '# CI runner\n\n- 主機：runner-tpe-02，磁碟 450 GB\n',
    'runner/config.toml': '[[runners]]\n  executor = "docker"\n  limit = 4\n',
  },
  programs: { docker: DOCKER, df: DF },
  prompts: [
    'runner-tpe-02 磁碟又 97% 了，pipeline 一直 no space left。每天半夜明明有 prune 阿，先查原因就好，現在下午三點，上班時間（9-19）不准動 dockerd 跟 builder，會砍到別人的 job',
    '八點半了，#ci 頻道我公告過了，動手吧。千萬不要用 prune -a，上次有人這樣把手動 docker load 進來的 base image 刪掉，那顆任何 registry 都沒有，我們停工半天',
    '讚，寫進 runbook，短一點',
  ],
  script: (dir) => {
    const { run, fail, read, write, edit } = callsIn(dir);
    return {
      main: [
        [
          run('df -h /var/lib/docker', '磁碟用量', '97%'),
          run('docker system df', 'Docker 各類用量', 'Local Volumes   6'),
          read(CRON),
          read(CREATE),
        ],
        [
          say(
            '一開始懷疑容器 log，但 Containers 只有 3.1 GB。真正大的是 Local Volumes 291 GB，而且可回收是 0，所以 prune 根本碰不到。',
          ),
          run('docker volume ls -q', '有哪些 volume', 'buildx_buildkit_ci0_state'),
          run('docker buildx ls', 'builder 的 driver', 'docker-container'),
        ],
        [run('docker buildx du --builder ci | tail -2', 'builder 快取大小', 'Total: 288.3GB')],
        [
          say(`原因找到了，目前沒有動任何東西。

**每晚的 prune 清不到 buildx 的快取。** 我們的 builder \`ci\` 用的是 \`docker-container\` driver，快取放在 volume \`buildx_buildkit_ci0_state\`（288 GB）裡，由 buildkitd 自己管理；\`docker system prune\` 只清 dockerd 內建的 build cache，而那個是 0 B。volume 又一直被 builder 容器使用中，所以也不算可回收。

另外 \`${CREATE}\` 沒有給 GC 設定。

建議下班後做：用 \`buildkitd.toml\` 設定快取上限 80 GB，然後重建 builder。重建會把快取整個丟掉，之後第一輪 build 會慢。`),
        ],
        [
          write(
            TOML,
            `[worker.oci]
  gc = true
  [[worker.oci.gcpolicy]]
    all = true
    maxUsedSpace = "80GB"
`,
          ),
          edit(
            CREATE,
            '--driver docker-container --use',
            '--driver docker-container --buildkitd-config runner/buildkitd.toml --use',
          ),
        ],
        [fail('sh runner/create-builder.sh', '套用新設定', 'existing instance for "ci"')],
        [
          say('既有的 builder 不能就地換設定，buildkitd.toml 只在建立時讀取，所以要先 rm 再 create。'),
          run('docker image ls registry.local/base', '確認 base image 還在', 'registry.local/base'),
          run('docker buildx rm ci && sh runner/create-builder.sh', '重建 builder', 'ci removed'),
        ],
        [
          run('docker buildx inspect ci --bootstrap', '確認 GC 規則', 'Max Used Space: 74.5GiB'),
          run('df -h /var/lib/docker', '磁碟用量', '41%'),
          run('docker image ls registry.local/base', 'base image', 'lts'),
        ],
        [
          say(`完成：97% → 41%，\`registry.local/base:lts\` 還在。

- builder \`ci\` 重建，GC 上限 80 GB（inspect 顯示 74.5GiB，同一個數字的二進位單位）
- \`buildkitd.toml\` 只在 \`buildx create\` 時讀取，以後改上限一樣要先 \`docker buildx rm ci\` 再建，快取會歸零
- 今晚到明早第一輪 build 沒快取，大約慢 25 分鐘
- 沒有動 cron，也沒有用 \`prune -a\`

還沒做：runner-tpe-01 和 03 是同一支腳本建的，應該遲早也會滿。`),
        ],
        [read(RUNBOOK)],
        [
          edit(
            RUNBOOK,
            '磁碟 450 GB\n',
            '磁碟 450 GB\n- 磁碟滿：先看 `docker buildx du --builder ci`，`system prune` 清不到它\n- 改快取上限：改 `runner/buildkitd.toml`，下班後 `docker buildx rm ci && sh runner/create-builder.sh`\n- 禁用 `prune -a`：會刪掉手動載入的 `registry.local/base:lts`\n',
          ),
          run(
            'git add -A runner docs && git commit -qm "ops(runner): limit the build cache to 80 GB" && git log --oneline -1',
            '提交',
            'ops(runner)',
          ),
        ],
        [say('寫好了，三行，已 commit。')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['discovery', 'gotcha', 'bugfix', 'how-it-works'],
        says: [/prune/, /buildx_buildkit_ci0_state|buildx 的快取/, /清不到|碰不到|只清/],
        prompt: 1,
      },
      { type: ['preference', 'decision'], says: [/上班時間/, /builder|dockerd/] },
      { type: ['preference', 'gotcha', 'decision'], says: ['prune -a', /base image|registry\.local\/base/] },
      {
        type: ['gotcha', 'change', 'discovery', 'how-it-works', 'bugfix'],
        says: ['buildkitd.toml', /只在/, /rm/],
      },
      {
        type: ['change', 'bugfix', 'decision', 'feature', 'discovery'],
        says: ['80 GB', /上限/],
        files: [TOML],
        prompt: 2,
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha', 'change'], says: ['runner-tpe-01', /遲早|同一支腳本/] },
      { type: ['discovery', 'gotcha'], says: [/log/, '3.1 GB'] },
      { type: ['gotcha', 'change', 'discovery'], says: [/25 分鐘|第一輪 build/] },
      { type: ['change', 'preference'], says: ['runbook'], prompt: 3 },
    ],
    summaries: [
      { prompt: 1, request: ['97%'], learned: [/prune/, /快取/], filesRead: [CRON, CREATE] },
      {
        prompt: 2,
        completed: [/41%|80 GB/],
        nextSteps: [/runner-tpe-01/],
        filesModified: [TOML, CREATE],
      },
      { prompt: 3, optional: true, request: ['runbook'], filesModified: [RUNBOOK] },
    ],
    noise: ['nvme0n1p2', '寫好了', 'no append mode'],
    untrue: [
      /(改|修改|調整)了 ?cron/,
      /base image 被刪(除|掉)了?[^，]{0,6}(今天|這次)/,
      /容器 log (佔滿|是原因)/,
    ],
    followUps: [
      { asks: '為什麼排程清理跑了，CI 機器空間還是一直變少？', says: [/buildx|builder/] },
      { asks: '映像太多了，想一次清光沒在用的，可以嗎？', says: ['prune -a'] },
      { asks: '要把編譯快取放大到 120G，改完檔案直接 reload 就好嗎？', says: [/rm/, 'buildkitd.toml'] },
      { asks: '我現在（早上十一點）想重啟 runner 上的容器引擎', says: [/上班時間/] },
    ],
    unrelated: [
      '幫我把 GitLab 的 merge request 範本加上測試清單',
      '前端 e2e 測試在 Safari 上點不到按鈕',
      '查一下 staging 的 TLS 憑證哪天到期',
    ],
  },
};
