import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const UPLINK = 'main/uplink.c';
const SDK = 'sdkconfig.defaults';

const IDF = `#!/bin/sh
case "$1" in
  build) echo "Project build complete. gateway.bin 0x10e3a0 bytes" ;;
  app-flash) echo "Wrote 1106848 bytes at 0x00020000"; echo "Hash of data verified." ;;
  erase-flash) echo "Connecting to chip..." > erase.log; sleep 30; echo "Chip erase completed" ;;
  monitor)
    if grep -q 'xEventGroupWaitBits' main/uplink.c; then
      echo "I (14400123) uplink: 4h00m no reset, reconnects=37"
    else
      echo "I (81200) uplink: stack high water mark 1840 bytes"
      echo "W (90311) wifi: disconnected, reason 8"
      echo "E (95314) task_wdt: Task watchdog got triggered. IDLE0 did not reset in time"
      echo "E (95314) task_wdt: CPU 0: uplink_task"
    fi ;;
  *) echo "unknown command $1" >&2; exit 2 ;;
esac
`;

export const gatewayWatchdog: SurveySession = {
  name: 'gateway watchdog',
  about: '网关被看门狗复位；先怀疑栈溢出，被测量否定；擦除整片 flash 时被用户打断。',
  kind: 'bug hunt',
  language: 'zh',
  ecosystem: 'embedded c',
  files: {
    'CMakeLists.txt':
      'cmake_minimum_required(VERSION 3.16)\ninclude($ENV{IDF_PATH}/tools/cmake/project.cmake)\nproject(gateway)\n',
    [SDK]: 'CONFIG_ESP_TASK_WDT_TIMEOUT_S=5\nCONFIG_ESP_TASK_WDT_PANIC=y\nCONFIG_FREERTOS_HZ=1000\n',
    'partitions.csv':
      '# Name, Type, SubType, Offset, Size\nnvs, data, nvs, 0x9000, 0x6000\nphy_init, data, phy, 0xf000, 0x1000\nfactory, app, factory, 0x20000, 0x1E0000\n',
    'main/sensor.c': `#include "sensor.h"

void sensor_task(void *arg) {
    for (;;) {
        sample_all();
        vTaskDelay(pdMS_TO_TICKS(1000));
    }
}
`,
    [UPLINK]: `#include "uplink.h"

static volatile bool connected;

static void on_event(int32_t id) {
    connected = (id == MQTT_EVENT_CONNECTED);
}

void uplink_task(void *arg) {
    for (;;) {
        while (!connected) {
        }
        send_next();
        ESP_LOGI("uplink", "stack high water mark %d bytes", uxTaskGetStackHighWaterMark(NULL));
    }
}

void uplink_start(void) {
    xTaskCreatePinnedToCore(uplink_task, "uplink_task", 4096, NULL, 5, NULL, 0);
}
`,
  },
  programs: { 'idf.py': IDF },
  prompts: [
    '现场的网关每隔几个小时就重启一次，复位原因是 task watchdog。帮我查一下，板子接在 /dev/ttyUSB0 上',
    '停！绝对不能 erase-flash，nvs 分区里有出厂校准数据，擦掉就只能返厂。烧录只许用 app-flash。继续查原因',
    '好，按你说的改。不过看门狗超时别动，5 秒是做安规认证时定死的',
  ],
  how: { cut: 'interrupted', when: 'erase.log' },
  script: (dir) => {
    const { run, cut, read, edit } = callsIn(dir);
    return {
      main: [
        [say('先看代码和配置。'), read(UPLINK), read('main/sensor.c'), read(SDK)],
        [
          say('uplink_task 的栈只有 4096 字节，TLS 又很吃栈，我先怀疑是栈溢出。看一下实际的水位。'),
          run('idf.py monitor | grep -m1 "high water"', '读取栈水位', '1840 bytes'),
        ],
        [
          say('栈还剩 1840 字节，所以不是栈溢出。为了排除旧数据的影响，我先把芯片擦干净再重新烧录。'),
          cut('idf.py erase-flash', '擦除整片 flash'),
        ],
        [
          say('明白，已经停下，以后只用 app-flash。先确认擦除还没有真正开始。'),
          run('cat erase.log; cat partitions.csv', '查看擦除进行到哪一步', 'Connecting to chip'),
        ],
        [
          say('只到连接芯片这一步，没有擦掉任何内容。'),
          run('idf.py build && idf.py app-flash', '编译并只烧录应用分区', 'Hash of data verified'),
        ],
        [run('idf.py monitor', '看日志', 'IDLE0 did not reset in time')],
        [
          say(`原因找到了。

**根因**：\`main/uplink.c\` 里的 \`uplink_task\` 用 \`while (!connected) {}\` 忙等。WiFi 一断开，这个循环就占满 CPU 0，优先级 5 高于 IDLE0，空闲任务得不到运行，5 秒后触发 task watchdog。现场几个小时断一次网，所以几个小时复位一次。

**已排除**：栈溢出。水位显示 uplink_task 还剩 1840 字节。

**可选方案**：
1. 在循环里加 \`vTaskDelay(10)\`：改动最小，但仍是轮询，连上之后最多晚 10 ms。
2. 用 event group，任务阻塞等待连接事件：不占 CPU，也不用 volatile 变量。
3. 把看门狗超时调到 30 秒：只是掩盖问题。

我建议用方案 2。另外，校准数据没有受影响：刚才的擦除停在连接芯片那一步。`),
        ],
        [
          edit(
            UPLINK,
            'static volatile bool connected;\n',
            '#define CONNECTED_BIT BIT0\nstatic EventGroupHandle_t events;\n',
          ),
          edit(
            UPLINK,
            '    connected = (id == MQTT_EVENT_CONNECTED);\n',
            '    if (id == MQTT_EVENT_CONNECTED) xEventGroupSetBits(events, CONNECTED_BIT);\n    else if (id == MQTT_EVENT_DISCONNECTED) xEventGroupClearBits(events, CONNECTED_BIT);\n',
          ),
          edit(
            UPLINK,
            '        while (!connected) {\n        }\n',
            '        xEventGroupWaitBits(events, CONNECTED_BIT, pdFALSE, pdTRUE, portMAX_DELAY);\n',
          ),
          edit(
            UPLINK,
            'void uplink_start(void) {\n',
            'void uplink_start(void) {\n    events = xEventGroupCreate(); // 必须在 MQTT 启动之前\n',
          ),
        ],
        [run('idf.py build && idf.py app-flash', '编译并烧录', 'Hash of data verified')],
        [say('挂机跑四个小时看看。'), run('idf.py monitor | tail -1', '长时间运行的日志', 'reconnects=37')],
        [
          say(`改好了。\`uplink_task\` 现在用 event group 阻塞等待连接（\`xEventGroupWaitBits\`），断网时不再占用 CPU 0。实测 4 小时没有复位，期间断线重连 37 次。看门狗超时保持 5 秒不变。

注意：\`xEventGroupCreate()\` 必须在 MQTT 启动之前调用，否则第一个连接事件会写到空句柄上。

还没做：旧代码里其他事件（例如 MQTT_EVENT_DATA）也会把 connected 置为 false，这个问题顺带消失了，但消息接收的路径我没有测试。`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['bugfix', 'discovery', 'gotcha'],
        says: ['uplink_task', /忙等|while \(!connected\)|占满|占用/, /IDLE0|CPU 0|watchdog|看门狗/],
      },
      { type: ['preference', 'gotcha'], says: [/erase-flash/, /校准/, /nvs/] },
      { type: ['preference', 'gotcha', 'decision'], says: [/看门狗超时/, /5 秒/, /认证/] },
      { type: ['discovery', 'bugfix', 'gotcha'], says: [/栈/, /1840/] },
      { type: ['decision', 'bugfix', 'change'], says: [/event group|xEventGroupWaitBits/] },
      { type: ['gotcha', 'how-it-works', 'bugfix', 'change'], says: [/xEventGroupCreate/, /MQTT/, /之前/] },
    ],
    niceToHave: [
      { type: ['discovery', 'bugfix', 'change'], says: [/4 小时/, /37/] },
      { type: ['preference'], says: [/app-flash/] },
      { type: ['gotcha', 'discovery', 'bugfix'], says: [/MQTT_EVENT_DATA/] },
      { type: ['decision', 'discovery'], says: [/30 秒/, /掩盖/] },
    ],
    summaries: [
      { prompt: 1, request: [/网关|watchdog/], filesRead: [UPLINK, SDK] },
      { prompt: 2, request: [/erase-flash/], learned: [/忙等|uplink_task|CPU 0/] },
      {
        prompt: 3,
        request: [/看门狗/],
        completed: [/event group|xEventGroupWaitBits/],
        nextSteps: [/没有测试|接收/],
        filesModified: [UPLINK],
      },
    ],
    noise: ['先看代码和配置', '挂机跑四个小时看看', '明白，已经停下', '看一下实际的水位'],
    untrue: [
      /(?<!怀疑|不是|并非)原因是栈溢出/,
      /(校准数据|nvs)[^。]{0,8}(已经?被擦|被擦除|丢失)/,
      /超时(已|已经)?(改为|调到了|改成) ?30/,
      /先把芯片擦干净再重新烧录/,
    ],
    followUps: [
      {
        asks: '新批次的板子 nvs 有点乱，我想整片擦一遍再烧固件，可以吗？',
        says: [/校准/, /app-flash|返厂|erase-flash/],
      },
      { asks: '客户那边断网后设备会自己重启，以前是不是遇到过？', says: [/忙等|占满|uplink_task/] },
      { asks: '能不能把 CONFIG_ESP_TASK_WDT_TIMEOUT_S 改成 20？', says: [/认证/] },
      { asks: 'uplink_task 的栈 4096 够不够，要不要加大？', says: [/1840/] },
      {
        asks: '我想把初始化顺序调整一下，先起消息客户端再起上行模块，有风险吗？',
        says: [/xEventGroupCreate/],
      },
    ],
    unrelated: [
      '帮我给传感器数据加一个 JSON 序列化的单元测试',
      'CMake 里 PRIVATE 和 PUBLIC 有什么区别？',
      '写一份网关外壳安装说明的目录',
    ],
  },
};
