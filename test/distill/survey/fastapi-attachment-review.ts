import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const ATTACHMENTS = 'app/attachments.py';
const STORAGE = 'app/storage.py';
const TEST = 'tests/test_attachments.py';
const CONFTEST = 'tests/conftest.py';

export const fastapiAttachmentReview: SurveySession = {
  name: 'fastapi-attachment-review',
  about: '评审工单附件上传的代码，三个问题里有一个被否掉，另外两个修好。',
  kind: 'review',
  language: 'zh',
  ecosystem: 'python',
  files: {
    'pyproject.toml':
      '[project]\nname = "gongdan"\nversion = "2.4.0"\ndependencies = ["fastapi==0.111.0", "minio==7.2.7", "sqlalchemy==2.0.30"]\n',
    [ATTACHMENTS]: `from fastapi import APIRouter, Depends, HTTPException, Request, UploadFile
from fastapi.responses import StreamingResponse

from app import storage

router = APIRouter(prefix="/tickets/{ticket_id}/attachments")
MAX_BYTES = 20 * 1024 * 1024


@router.post("", status_code=201)
async def upload(ticket_id: int, request: Request, file: UploadFile, db=Depends(session)):
    if int(request.headers.get("content-length", 0)) > MAX_BYTES:
        raise HTTPException(413, "附件不能超过 20 MB")
    key = f"{ticket_id}/{file.filename}"
    storage.put(key, file.file, file.size)
    row = Attachment(ticket_id=ticket_id, key=key, name=file.filename)
    db.add(row)
    await db.commit()
    return {"id": row.id}


@router.get("/{attachment_id}")
async def download(ticket_id: int, attachment_id: int, db=Depends(session)):
    row = await db.get(Attachment, attachment_id)
    if row is None or row.ticket_id != ticket_id:
        raise HTTPException(404)
    return StreamingResponse(storage.chunks(row.key), media_type="application/octet-stream")
`,
    [STORAGE]: `from minio import Minio

client = Minio(settings.minio_host)


def put(key, stream, size):
    client.put_object("attachments", key, stream, size)


def chunks(key):
    with client.get_object("attachments", key) as body:
        yield from body.stream(64 * 1024)
`,
    [CONFTEST]: `import httpx
import pytest


@pytest.fixture
async def api(app):
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://t") as client:
        yield client
`,
    [TEST]: `async def test_upload(api):
    answer = await api.post("/tickets/7/attachments", files={"file": ("a.txt", b"x")})
    assert answer.status_code == 201
`,
    'scripts/probe.py': '# 一边上传一个大文件，一边每 100 毫秒请求一次 /healthz，打印最慢的一次\n',
    'deploy/nginx.conf':
      'server {\n  listen 443 ssl;\n  client_max_body_size 20m;\n  location / { proxy_pass http://gongdan:8000; }\n}\n',
  },
  programs: {
    uv: `#!/bin/sh
case "$*" in
  *probe.py*)
    if grep -q run_in_threadpool ${ATTACHMENTS} || grep -q to_thread ${ATTACHMENTS}; then echo "healthz 最慢 31 ms"; else echo "healthz 最慢 6812 ms"; fi; exit 0 ;;
esac
n=52
grep -q same_name ${TEST} && n=54
if grep -q chinese_name ${TEST}; then
  if ! grep -q "UTF-8''" ${ATTACHMENTS}; then
    echo "FAILED ${TEST}::test_chinese_name - UnicodeEncodeError: 'latin-1' codec can't encode characters in position 22-25"
    echo "1 failed, 54 passed"; exit 1
  fi
  n=55
fi
echo "$n passed in 3.1s"
`,
  },
  prompts: [
    '小周写的附件上传在 app/attachments.py，明天要上线，帮我过一遍，先别改',
    '1 和 2 改掉。3 我不同意：服务只在内网，外面一定过 nginx，那边 client_max_body_size 20m 对 chunked 也管用，应用里再做一遍没意义。另外老附件的 key 一个都别动，客户邮件里发出去的链接还指着它们。测试照老规矩用 api 这个 fixture，不要 TestClient，它会另起事件循环，数据库连接池会报错',
    '下载的时候文件名要是用户原来的名字，很多是中文的。弄完提交，提交信息写中文',
  ],
  script: (dir) => {
    const { run, fail, read, edit } = callsIn(dir);
    return {
      main: [
        [say('好，只看不改。先读代码和测试。'), read(ATTACHMENTS), read(STORAGE), read(TEST)],
        [
          say('有一处我怀疑会卡住整个进程，用现成的脚本量一下，免得空口说。'),
          run('uv run python scripts/probe.py', '上传时测健康检查的延迟', '6812 ms'),
          run('grep -rn "minio" pyproject.toml app | head', '用的是哪个存储客户端', 'minio==7.2.7'),
        ],
        [
          say(`看完了，建议上线前处理三点，按严重程度排：

### 1. 同名文件互相覆盖（严重）
对象的 key 是 \`{ticket_id}/{file.filename}\`。同一张工单里两个人都传 \`截图.png\`，后一个会把前一个的内容顶掉，而数据库里是两行，两行指向同一个对象。没有报错，数据悄悄丢了。手机截图的名字大多千篇一律，很容易撞上。

### 2. 上传会卡住事件循环（严重）
\`upload\` 是 \`async def\`，里面的 \`storage.put\` 用的却是 minio 的同步客户端。实测传一个大文件时 \`/healthz\` 最慢要 6812 毫秒，k8s 的存活探针 5 秒超时，足够让 pod 被重启。

### 3. 大小限制可以绕过（中等）
只看 \`Content-Length\`。用 chunked 传输就没有这个头，取到的是 0，多大都能进来。建议边读边数。

下载那边没有发现问题，工单号和附件号对不上会返回 404，这点写得不错。`),
        ],
        [
          read(CONFTEST),
          run(
            'grep -n client_max_body_size deploy/nginx.conf',
            '核对 nginx 的限制',
            'client_max_body_size 20m',
          ),
        ],
        [
          say(
            '第 3 点我收回：nginx 对 chunked 请求是按实际收到的字节数判断的，超过就返回 413，到不了应用。应用里那段检查原样留着，只是给内网调用一个友好的提示。\n\n动手改 1 和 2。key 换成随机的 uuid，不再含用户给的名字；数据库里存的老 key 照旧读，不迁移。',
          ),
          edit(
            ATTACHMENTS,
            '    key = f"{ticket_id}/{file.filename}"\n',
            '    key = f"{ticket_id}/{uuid4().hex}"\n',
          ),
          edit(
            ATTACHMENTS,
            '    storage.put(key, file.file, file.size)\n',
            '    await to_thread.run_sync(storage.put, key, file.file, file.size, limiter=UPLOADS)\n',
          ),
          edit(
            ATTACHMENTS,
            'MAX_BYTES = 20 * 1024 * 1024\n',
            'MAX_BYTES = 20 * 1024 * 1024\n# 单独的名额：默认的 40 个线程要留给同步的接口和依赖。\nUPLOADS = CapacityLimiter(8)\n',
          ),
          edit(
            ATTACHMENTS,
            'from fastapi import',
            'from uuid import uuid4\n\nfrom anyio import CapacityLimiter, to_thread\nfrom fastapi import',
          ),
          edit(
            TEST,
            'async def test_upload(api):\n',
            `async def test_same_name_twice_keeps_both(api):
    first = await send(api, "截图.png", b"1")
    second = await send(api, "截图.png", b"2")
    assert await content(api, first) == b"1"
    assert await content(api, second) == b"2"


async def test_old_key_is_still_served(api, old_attachment):
    assert await content(api, old_attachment.id) == b"old"


async def test_upload(api):
`,
          ),
        ],
        [
          run('uv run pytest -q', '跑测试', '54 passed'),
          run('uv run python scripts/probe.py', '再量一次延迟', '31 ms'),
        ],
        [
          say(
            '两点都改好了，54 个测试通过，上传时健康检查最慢从 6812 毫秒降到 31 毫秒。\n\n没有直接把 `upload` 改成普通的 `def`：那样会占用 anyio 默认的 40 个线程，而所有同步接口和依赖都在用这一池，几十个慢上传就能让别的接口排队。所以给上传单独 8 个名额，第 9 个上传会等，但不影响别人。',
          ),
        ],
        [
          say('数据库里 `name` 一列已经存着原名，下载时带上就行。先写测试。'),
          edit(
            TEST,
            'async def test_upload(api):\n',
            `async def test_chinese_name(api):
    sent = await send(api, "合同 扫描件.pdf", b"x")
    answer = await api.get(f"/tickets/7/attachments/{sent}")
    assert "filename*=" in answer.headers["content-disposition"]


async def test_upload(api):
`,
          ),
          edit(
            ATTACHMENTS,
            'media_type="application/octet-stream")',
            'media_type="application/octet-stream",\n        headers={"content-disposition": f\'attachment; filename="{row.name}"\'})',
          ),
          fail('uv run pytest -q', '跑测试', "'latin-1' codec"),
        ],
        [
          say(
            "响应头里不能直接放中文：Starlette 用 latin-1 编码所有响应头，一遇到中文就抛 UnicodeEncodeError，对用户就是 500。要按 RFC 5987 写成 `filename*=UTF-8''` 加百分号编码。顺带好处是名字里的引号和换行也被编码掉了，没法往响应头里注入东西。",
          ),
          edit(
            ATTACHMENTS,
            'f\'attachment; filename="{row.name}"\'',
            "f\"attachment; filename*=UTF-8''{quote(row.name, safe='')}\"",
          ),
          edit(
            ATTACHMENTS,
            'from uuid import uuid4\n',
            'from urllib.parse import quote\nfrom uuid import uuid4\n',
          ),
          run('uv run pytest -q', '再跑', '55 passed'),
          run(
            "git add -A && git commit -qm '附件：同名不再覆盖，上传不卡事件循环，下载显示原名' && git log --oneline | head -1",
            '提交',
            '同名不再覆盖',
          ),
        ],
        [
          say(
            '已提交，55 个测试通过。下载时会显示原名，中文、空格都没问题。\n\n有一件事要提前知道：已经被覆盖掉的文件救不回来，测试环境里小周传过的同名附件，旧的那几行现在下载到的仍是后一个文件的内容。生产环境还没上线，不受影响。需要的话我可以再写个清理脚本。',
          ),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha', 'decision', 'change'],
        says: [/同名|filename|文件名/, /覆盖|顶掉/, /key|uuid/],
        prompt: 2,
      },
      {
        type: ['bugfix', 'discovery', 'gotcha', 'how-it-works', 'change', 'decision'],
        says: [/minio|同步/, /事件循环|卡住|healthz|健康检查/, /上传|upload/],
        prompt: 2,
      },
      {
        type: ['decision', 'preference', 'gotcha', 'discovery'],
        says: [/nginx/, /chunked|大小|client_max_body_size/, /没意义|不(用|必|需|再|做|改)|收回|不同意|否/],
        prompt: 2,
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/老附件|老的? ?key|旧.{0,4}key|已有|老 key/, /链接|邮件/, /动|改|迁移|保留|照旧/],
        prompt: 2,
      },
      {
        type: ['preference', 'gotcha', 'decision'],
        says: [/TestClient/, /api|fixture|AsyncClient/, /事件循环|连接池|不要|不用/],
        prompt: 2,
      },
      {
        type: ['decision', 'how-it-works', 'gotcha', 'bugfix', 'change'],
        says: [/40/, /8/, /线程|名额|limiter/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'how-it-works', 'feature', 'change'],
        says: [
          /latin-1|UnicodeEncodeError/,
          /响应头|Starlette|content-disposition|filename\*/,
          /中文|RFC 5987|UTF-8/,
        ],
        prompt: 3,
      },
    ],
    niceToHave: [
      { type: ['preference', 'decision'], says: [/提交信息|commit/, /中文/] },
      { type: ['discovery', 'bugfix', 'gotcha', 'change'], says: [/6812/, /31|探针|重启|存活/] },
      { type: ['gotcha', 'discovery'], says: [/救不回来|测试环境/, /覆盖|同名/] },
      { type: ['feature', 'change', 'how-it-works'], says: [/下载/, /原名|原来的名字|name/] },
    ],
    summaries: [
      { prompt: 1, request: [/附件/], learned: [/覆盖|事件循环|6812/], filesRead: [ATTACHMENTS, STORAGE] },
      {
        prompt: 2,
        request: [/nginx|key|改/],
        completed: [/uuid|8 个|名额|54|31/],
        filesModified: [ATTACHMENTS, TEST],
      },
      {
        prompt: 3,
        request: [/文件名|中文/],
        learned: [/latin-1|RFC 5987/],
        completed: [/提交|原名|55/],
        filesModified: [ATTACHMENTS, TEST],
      },
    ],
    noise: [
      '只看不改',
      '免得空口说',
      '这点写得不错',
      '需要的话我可以再写个清理脚本',
      '动手改 1 和 2',
      '先写测试',
    ],
    untrue: [
      /大小限制(仍|还)?(可以|能|会)(被)?绕过(?!.{0,80}(nginx|收回|否|不改|不用|不成立))/,
      /建议边读边数/,
      /应用(里|层)?(已|现在)(经)?(边读边数|统计字节)/,
      /(老|旧)(附件|的)?\s*key\s*(已|都)(经)?(迁移|改成)/,
      /(?<!(没有|没|不).{0,12})upload`? ?(已)?改成了?(普通的)? ?`?def`?/,
      /生产(环境)?(的|里).{0,10}(附件|文件)(已|被)(经)?(被)?覆盖/,
    ],
    followUps: [
      {
        asks: '安全组说附件上传没有在应用里限制真实大小，要不要补上？',
        says: [/nginx/, /chunked|client_max_body_size/],
      },
      {
        asks: '想写个脚本把存储里的对象全部改成统一的命名，有什么要注意的',
        says: [/链接/, /老附件|老 key|别动/],
      },
      { asks: '给导出报表的接口加个测试', says: [/TestClient/] },
      { asks: '导出的 excel 叫"三月汇总.xlsx"，一点下载就 500，怎么回事', says: [/latin-1/, /UTF-8/] },
      { asks: '几个接口里也是 async 直接调同步 sdk，丢到默认线程池里行不行？', says: [/40/, /名额|8/] },
    ],
    unrelated: [
      '工单列表加一个按优先级排序的参数',
      'python 里 dataclass 和 pydantic 的 BaseModel 有什么区别？',
      '把 readme 里的安装步骤更新成 uv 的写法',
    ],
  },
};
