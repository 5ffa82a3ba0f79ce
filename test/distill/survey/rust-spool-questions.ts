import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const SPOOL = 'src/spool.rs';
const UPLOADER = 'src/uploader.rs';
const CODEC = 'src/codec.rs';
const UNIT = 'deploy/quill-agent.service';
const README = 'README.md';

export const rustSpoolQuestions: SurveySession = {
  name: 'rust-spool-questions',
  about: 'Three questions about a log collector in Rust; only reading, nothing is changed.',
  kind: 'question',
  language: 'zh',
  ecosystem: 'rust',
  files: {
    'Cargo.toml': `[package]
name = "quill-agent"
version = "0.9.3"
edition = "2021"

[features]
default = ["zstd"]
zstd = ["dep:zstd"]
lz4 = ["dep:lz4_flex"]

[dependencies]
tokio = { version = "1.38", features = ["fs", "rt", "time", "macros", "signal"] }
reqwest = { version = "0.12", default-features = false, features = ["rustls-tls"] }
zstd = { version = "0.13", optional = true }
lz4_flex = { version = "0.11", optional = true }
colpack = "0.4"
uuid = { version = "1", features = ["v4"] }
rand = "0.8"
`,
    [README]: `# quill-agent

现场网关上的日志采集进程：收 -> 落盘 (spool) -> 上传。

## 上传

- 失败后最多重试 5 次，之后丢弃
- 压缩：zstd（默认）或 lz4，用 cargo feature 切换

## 磁盘

\`max_spool_bytes\`（默认 2 GiB）限制 spool 目录占用。
`,
    [SPOOL]: `//! 磁盘上的段：打开时是 <boot_id>-<seq>.part，封口后改名为 .seg。
use std::{path::{Path, PathBuf}, time::{Duration, Instant}};
use tokio::{fs, io::AsyncWriteExt};
use uuid::Uuid;

pub const SEAL_BYTES: u64 = 64 * 1024 * 1024;
pub const SEAL_AFTER: Duration = Duration::from_secs(30);

pub struct Spool {
    dir: PathBuf,
    boot_id: Uuid,
    seq: u64,
    open: Option<OpenSegment>,
    used: u64,
    max_bytes: u64,
}

struct OpenSegment {
    path: PathBuf,
    file: fs::File,
    len: u64,
    opened: Instant,
}

impl Spool {
    pub async fn start(dir: &Path, max_bytes: u64) -> anyhow::Result<Self> {
        let sealed = Self::recover(dir).await?;
        let mut used = 0;
        for path in &sealed {
            used += fs::metadata(path).await?.len();
        }
        Ok(Self { dir: dir.into(), boot_id: Uuid::new_v4(), seq: 0, open: None, used, max_bytes })
    }

    /// 返回 Ok 之后，调用方会给设备回 ACK。
    pub async fn append(&mut self, batch: &[u8]) -> anyhow::Result<()> {
        anyhow::ensure!(self.used + batch.len() as u64 <= self.max_bytes, "spool full");
        let seg = self.open_segment().await?;
        seg.file.write_all(batch).await?;
        seg.file.flush().await?;
        seg.len += batch.len() as u64;
        let due = seg.len >= SEAL_BYTES || seg.opened.elapsed() >= SEAL_AFTER;
        self.used += batch.len() as u64;
        if due {
            self.seal().await?;
        }
        Ok(())
    }

    async fn seal(&mut self) -> anyhow::Result<()> {
        if let Some(seg) = self.open.take() {
            seg.file.sync_all().await?;
            fs::rename(&seg.path, seg.path.with_extension("seg")).await?;
        }
        Ok(())
    }

    pub async fn recover(dir: &Path) -> anyhow::Result<Vec<PathBuf>> {
        let mut found = vec![];
        let mut entries = fs::read_dir(dir).await?;
        while let Some(entry) = entries.next_entry().await? {
            if entry.path().extension().is_some_and(|e| e == "seg") {
                found.push(entry.path());
            }
        }
        found.sort();
        Ok(found)
    }
}
`,
    [UPLOADER]: `use std::time::Duration;
use rand::Rng;

const MAX_ATTEMPTS: u32 = 8;
const FIRST_DELAY: Duration = Duration::from_secs(1);
const LONGEST_DELAY: Duration = Duration::from_secs(60);
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(300);

pub async fn upload(client: &reqwest::Client, seg: &Segment) -> Outcome {
    let mut attempt = 0;
    loop {
        let response = client.post(&seg.url).body(seg.body()).send().await;
        match response.as_ref().map(|r| r.status().as_u16()) {
            Ok(200..=299) => return seg.remove().await,
            Ok(429) => {
                // 不计入 attempt
                let wait = retry_after(&response).unwrap_or(LONGEST_DELAY).min(LONGEST_RETRY_AFTER);
                tokio::time::sleep(wait).await;
                continue;
            }
            Ok(400..=499) => return seg.move_to("dead").await,
            _ => {}
        }
        attempt += 1;
        if attempt >= MAX_ATTEMPTS {
            return seg.move_to("dead").await;
        }
        let delay = (FIRST_DELAY * 2u32.pow(attempt - 1)).min(LONGEST_DELAY);
        let jitter = rand::thread_rng().gen_range(0.5..1.0);
        tokio::time::sleep(delay.mul_f64(jitter)).await;
    }
}
`,
    [CODEC]: `#[cfg(all(feature = "zstd", feature = "lz4"))]
compile_error!("pick one codec");

#[cfg(feature = "zstd")]
pub const ENCODING: &str = "zstd";
#[cfg(feature = "lz4")]
pub const ENCODING: &str = "lz4";
`,
    'src/main.rs': `mod codec;
mod spool;
mod uploader;

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    agent::run().await
}
`,
    [UNIT]: `[Service]
ExecStart=/usr/bin/quill-agent --config /etc/quill/agent.toml
Restart=always
RestartSec=5
MemoryMax=96M
KillSignal=SIGKILL
`,
  },
  programs: {
    cargo: `#!/bin/sh
case "$*" in
  *"-i zstd-sys"*"--features lz4"*|*"--features lz4"*"-i zstd-sys"*)
    echo 'zstd-sys v2.0.12+zstd.1.5.6'
    echo '└── zstd-safe v7.2.0'
    echo '    └── zstd v0.13.2'
    echo '        └── colpack v0.4.7'
    echo '            └── quill-agent v0.9.3 (/src/quill-agent)' ;;
  tree*) echo 'quill-agent v0.9.3'; echo '├── colpack v0.4.7'; echo '├── lz4_flex v0.11.3'; echo '├── reqwest v0.12.5'; echo '└── tokio v1.38.1' ;;
  *) echo 'cargo 1.79.0 (ffa9cf99a 2024-06-03)' ;;
esac
`,
  },
  prompts: [
    '客户现场那台网关 spool 目录里一堆 .part 文件，占了 40G，df 报警了。这些东西能直接删吗？为什么会留下来？先别改代码，只看',
    '明白了。那上传失败的重试呢，429 跟 5xx 是一样处理的么，最多扛多久？顺便：以后回答我这种问题先给结论再给行号，别贴大段代码，手机上看不了',
    '最后一个：老的 armv7 网关编译 zstd 的 C 代码很麻烦，想切到 lz4，关掉 default feature 就行了吧？对了服务端要 3.4 才认 lz4，北区现场都还是 3.2',
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [
          say('我先看一下 spool 的实现和部署方式。'),
          run('ls -R src deploy && wc -l src/*.rs', '看目录结构'),
          read(SPOOL),
        ],
        [
          say('`.part` 是还没封口的段。再确认一下启动时有没有人回收它们。'),
          run('grep -rn \'\\.part\\|"part"\\|extension\' src', '谁会处理 .part', 'extension'),
          read(UNIT),
        ],
        [
          say(
            '`recover()` 只认 `.seg`，所以进程被杀之后遗留的 `.part` 没有任何代码再去碰它。我算一下 40G 意味着什么。',
          ),
          run("python3 -c 'print(40*1024//64)'", '40G 相当于多少个段', '640'),
        ],
        [
          say(`好问题！下面是完整的分析。

## 能不能删

**停掉进程之后可以删，运行中不要整目录 rm。** 当前进程正在写的那个段也叫 \`.part\`，删掉它设备数据就没了。另外这些孤儿文件里是已经给设备回过 ACK 但从没上传的数据：ACK 在 write+flush 之后就发了，不等封口。所以删之前最好先拷一份，设备不会重发。

## 为什么会留下

- 段写满 64 MiB 或打开超过 30 秒才封口改名为 \`.seg\`，重启后 \`recover()\` 只捡 \`.seg\`，孤儿 \`.part\` 永远没人管。
- 孤儿也不计入 \`max_spool_bytes\`：\`used\` 启动时只累加 \`.seg\` 的大小，所以 2 GiB 的限额形同虚设。
- 30 秒那个条件只在 \`append\` 里检查，没有新流量时最后一段会一直停在 \`.part\`，不会自己封口。

## 40G 的来历

每次崩溃最多留一个段，40G 至少是 640 次异常退出。unit 文件里 \`MemoryMax=96M\` 加 \`Restart=always\`，很像 OOM 循环重启；而且 \`KillSignal=SIGKILL\`，连正常的 \`systemctl restart\` 都来不及封口。OOM 这一点我没有现场日志，只是推测，需要 \`journalctl -k\` 证实。

如果需要，我可以帮您写一个清理脚本，随时告诉我！`),
        ],
        [
          say('来看 uploader。'),
          read(UPLOADER),
          run("grep -n '重试\\|max_spool' README.md", '文档怎么说', '5 次'),
        ],
        [
          say('README 写的是重试 5 次之后丢弃，和代码对不上。看看 dead 目录后面有没有人处理。'),
          run("grep -rn 'dead' src | grep -v uploader.rs | wc -l", 'dead/ 的其他引用', '0'),
        ],
        [
          run(
            "python3 -c 'd=[min(2**i,60) for i in range(7)]; print(sum(d)*0.5, sum(d))'",
            '5xx 总共等多久',
            '123',
          ),
        ],
        [
          say(`**结论：不一样。429 无限等，5xx 大约两分钟就放弃。**

| 响应 | 处理 | 行 |
|---|---|---|
| 429 | 按 Retry-After 等，封顶 300 秒，不计次数，可以一直等下去 | 15–20 |
| 5xx / 网络错误 | 最多 8 次，指数退避 1→60 秒带抖动，累计只有 1–2 分钟（61.5–123 秒） | 23–30 |
| 其他 4xx | 一次都不重试，直接进 \`dead/\` | 21 |

README 说的「5 次后丢弃」是过时的：代码里是 8 次，而且不是丢弃，是挪到 \`dead/\`。\`dead/\` 没有任何代码清理，也不算进限额，服务端停机超过两分钟，积压的段就会全部落进去，需要人工搬回来重传。

以后我都会先给结论和行号。`),
        ],
        [
          say('按理说 `--no-default-features --features lz4` 就够了，用 cargo tree 验证一下。'),
          read('Cargo.toml'),
          read(CODEC),
        ],
        [
          run(
            'cargo tree --no-default-features --features lz4 -i zstd-sys',
            '关掉 default 之后还有谁依赖 zstd-sys',
            'colpack v0.4.7',
          ),
        ],
        [
          say(`**结论：不行，只关 default feature 去不掉 zstd 的 C 代码。** \`colpack\` 0.4 自己硬依赖 zstd，\`zstd-sys\` 照样会被编译（Cargo.toml 第 16 行）。我一开始也以为关掉就行，cargo tree 证明不是。

- \`zstd\` 和 \`lz4\` 两个 feature 同时打开会触发 compile_error（codec.rs 第 2 行），所以必须带 \`--no-default-features\`。
- 编码是编译期常量，没有运行时协商：给 3.2 的服务端发 lz4 会被当成 4xx，段直接进 \`dead/\`。所以北区在升级到 3.4 之前不能用 lz4 版本。

要真正摆脱 C 编译，得先把 colpack 换掉或者让上游把 zstd 做成可选。希望这些对您有帮助 😊`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: [/recover/, /\.seg/, /孤儿|遗留/],
        files: [SPOOL],
        prompt: 1,
      },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: ['ACK', /封口|没上传|从没上传/], prompt: 1 },
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: ['max_spool_bytes', /不计入|只累加/],
        prompt: 1,
      },
      { type: 'preference', says: [/先给结论/, '行号'], prompt: 2 },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: ['dead/', /8 次|限额|清理/], prompt: 2 },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: ['colpack', 'zstd'], prompt: 3 },
    ],
    niceToHave: [
      { type: ['gotcha', 'how-it-works', 'discovery'], says: [/30 秒/, 'append'], prompt: 1 },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/MemoryMax|SIGKILL/, /OOM|封口/], prompt: 1 },
      { type: ['how-it-works', 'discovery', 'gotcha'], says: ['429', /300 秒|无限/], prompt: 2 },
      {
        type: ['gotcha', 'preference', 'discovery', 'how-it-works', 'decision'],
        says: ['3.4', 'lz4', '北区'],
        prompt: 3,
      },
      { type: ['gotcha', 'how-it-works', 'discovery'], says: ['compile_error', 'lz4'], prompt: 3 },
    ],
    summaries: [
      { prompt: 1, request: ['.part'], learned: [/recover|max_spool_bytes|ACK/] },
      { prompt: 2, request: ['429'], learned: [/dead|8 次|429/] },
      { prompt: 3, request: ['lz4'], learned: ['colpack'] },
    ],
    noise: [
      '我先看一下 spool 的实现',
      '好问题',
      '下面是完整的分析',
      '我可以帮您写一个清理脚本',
      '来看 uploader',
      '希望这些对您有帮助',
      '└── zstd-safe',
      '以后我都会先给结论',
    ],
    untrue: [/最多重试 5 次/, /已(经)?(修复|切换到 lz4|删除)/, /(^|[^不])可以直接切(换)?到 lz4/],
    followUps: [
      { asks: '网关断电重启以后，没封口的那些段会自动补传吗？', says: [/recover|\.part/] },
      { asks: '设备那边说数据已经确认收到了，平台上却查不到，可能丢在哪一步？', says: ['ACK'] },
      { asks: '限额明明配的 2 GiB，为什么磁盘还是会被写爆？', says: [/max_spool_bytes|限额/] },
      { asks: '昨晚服务端维护了十分钟，恢复后有些日志一直没上来，去哪里找？', says: ['dead'] },
      { asks: '想出一个纯 Rust、不带任何 C 库的 armv7 包，卡在哪里？', says: ['colpack'] },
      { asks: '北区下个月发新版采集程序，压缩格式有什么限制？', says: ['lz4', '3.4'] },
    ],
    unrelated: [
      '给 main.rs 加一个 --version 参数，输出 git commit',
      '把配置文件解析从 toml 改成支持环境变量覆盖',
      'CI 里 clippy 的 warning 太多了，帮我看看怎么分批处理',
    ],
  },
};
