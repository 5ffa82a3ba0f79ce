import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const CONFIG = `global:
  scrape_interval: 15s

rule_files:
  - rules/*.yml

scrape_configs:
  - job_name: checkout
    kubernetes_sd_configs:
      - role: pod
  - job_name: node
    static_configs:
      - targets: ['node1:9100', 'node2:9100']
`;

const PROMTOOL = `#!/bin/sh
case "$*" in
  *"tsdb analyze"*) cat <<'OUT'
Block ID: 01HZX4K2T7M3
Duration: 2h0m0s
Total Series: 2413877
Label names: 94
Postings (unique label pairs): 1988214

Highest cardinality labels:
1903344 session_id
8123 pod
1904 path
212 instance

Highest cardinality metric names:
1890112 checkout_step_seconds_bucket
171829 checkout_step_seconds_count
33120 container_memory_working_set_bytes
OUT
  ;;
  *"check config"*)
    if grep -q 'labeldrops' prometheus.yml; then
      echo "Checking prometheus.yml"; echo "  FAILED: unknown relabel action \\"labeldrops\\""; exit 1
    fi
    echo "Checking prometheus.yml"
    echo " SUCCESS: prometheus.yml is valid prometheus config file syntax"
    echo
    echo "Checking rules/checkout.yml"
    echo "  SUCCESS: 4 rules found" ;;
esac
`;

const KUBECTL = `#!/bin/sh
case "$*" in
  *"describe pod"*) cat <<'OUT'
Name:         prometheus-0
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
    Restart Count:  11
    Limits:
      memory:  16Gi
OUT
  ;;
  *logs*staging*)
    for i in $(seq 10 59); do
      echo "ts=2026-03-08T10:$i:04Z level=warn component=\\"scrape manager\\" scrape_pool=checkout msg=\\"Error on ingesting samples with different value but same timestamp\\" num_dropped=1834"
    done ;;
  *top*after*|*top*) echo "NAME           CPU(cores)   MEMORY(bytes)"; echo "prometheus-0   640m         3174Mi" ;;
  *) echo "ok" ;;
esac
`;

export const prometheusNightOomHe: SurveySession = {
  name: 'prometheus-night-oom-he',
  about: 'Prometheus runs out of memory at night; a label that grows without bound.',
  kind: 'operations',
  language: 'he',
  ecosystem: 'prometheus',
  files: {
    'prometheus.yml': CONFIG,
    'rules/checkout.yml':
      'groups:\n  - name: checkout\n    rules:\n      - alert: CheckoutSlow\n        expr: histogram_quantile(0.95, sum by (le) (rate(checkout_step_seconds_bucket[5m]))) > 3\n',
    'runbooks/prometheus.md': '# Prometheus\n\nReload: kubectl exec prometheus-0 -- kill -HUP 1\n',
  },
  programs: { promtool: PROMTOOL, kubectl: KUBECTL },
  script(projectDir) {
    const { run, fail, read, edit } = callsIn(projectDir);
    return {
      main: [
        [
          run('kubectl describe pod prometheus-0 -n monitoring', 'מצב הפוד', 'OOMKilled'),
          run('promtool tsdb analyze /prometheus', 'ניתוח קרדינליות', 'session_id'),
          read('prometheus.yml'),
        ],
        [
          say(`מצאתי. הפוד נהרג על 16Gi, וזה לא דליפה בפרומתאוס אלא קרדינליות:

- 2.41 מיליון סדרות, מתוכן 1.89 מיליון של \`checkout_step_seconds_bucket\`
- הסיבה: הלייבל \`session_id\` על המטריקה, ערך חדש לכל קונה. בלילה רצה הקומפקציה וטוענת את כל הבלוקים לזיכרון, ולכן זה נופל דווקא אז
- להגדיל זיכרון ידחה את זה בשבועיים בערך, לא יותר

אפשרויות: labeldrop של session_id, או לזרוק את המטריקה עד שהצוות יתקן.`),
        ],
        [
          edit(
            'prometheus.yml',
            '      - role: pod\n',
            '      - role: pod\n    metric_relabel_configs:\n      - action: labeldrops\n        regex: session_id\n',
          ),
          fail('promtool check config prometheus.yml', 'בדיקת הקונפיג', 'unknown relabel action'),
        ],
        [
          edit('prometheus.yml', 'action: labeldrops', 'action: labeldrop'),
          run('promtool check config prometheus.yml', 'בדיקת הקונפיג', 'SUCCESS'),
          run(
            'kubectl apply -k overlays/staging && kubectl logs prometheus-0 --context staging --since=10m',
            'staging',
            'num_dropped=1834',
          ),
        ],
        [
          say(
            'ניסיתי בסטייג׳ינג וזה לא טוב: אחרי labeldrop כמה סדרות של אותו פוד נהיות זהות, ופרומתאוס זורק דגימות עם "different value but same timestamp", 1834 בכל scrape. כלומר ההיסטוגרמה תהיה שקרית, והאלרט CheckoutSlow יחשב p95 על נתונים חסרים. labeldrop מתאים רק כשהסדרות נשארות ייחודיות בלי הלייבל. לא העליתי לפרוד.',
          ),
        ],
        [
          edit(
            'prometheus.yml',
            '      - action: labeldrop\n        regex: session_id\n',
            '      - source_labels: [__name__]\n        regex: checkout_step_seconds_.*\n        action: drop\n',
          ),
          run('promtool check config prometheus.yml', 'בדיקת הקונפיג', 'SUCCESS'),
          run('kubectl exec prometheus-0 -n monitoring -- kill -HUP 1', 'reload', 'ok'),
        ],
        [run('kubectl top pod prometheus-0 -n monitoring', 'זיכרון אחרי', '3174Mi')],
        [
          read('runbooks/prometheus.md'),
          edit(
            'runbooks/prometheus.md',
            'Reload: kubectl exec prometheus-0 -- kill -HUP 1\n',
            'Reload: promtool check config, ורק אחר כך kubectl exec prometheus-0 -- kill -HUP 1\n',
          ),
        ],
        [
          say(
            'המטריקה נזרקת ב-scrape, אחרי reload הזיכרון ירד מ-14Gi ל-3.1Gi. שים לב: האלרט CheckoutSlow עיוור עד שצוות הצ׳קאאוט מוריד את session_id מהקוד. עדכנתי את ה-runbook. נשאר: לפתוח טיקט לצוות הצ׳קאאוט ולהחזיר את המטריקה אחרי הדיפלוי שלהם. שיהיה לילה שקט!',
          ),
        ],
      ],
    };
  },
  prompts: [
    'הפרומתאוס בפרוד נופל כל לילה בסביבות 2, תבדוק למה. לא לגעת בפרוד בינתיים',
    'תנסה labeldrop, קודם בסטייג׳ינג',
    'אוקיי אז לזרוק את כל המטריקה עד שיתקנו, עדיף בלי גרף מאשר גרף משקר. אפשר לעלות לפרוד. וכלל: אין reload בפרוד בלי promtool check config לפני, בינואר נפלנו ככה לשעה. תכניס ל runbook',
  ],
  expects: {
    essentials: [
      {
        type: ['discovery', 'bugfix', 'gotcha', 'how-it-works'],
        says: ['session_id', /קרדינליות|1\.89 מיליון|ערך חדש לכל קונה/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'discovery', 'decision'],
        says: ['labeldrop', /same timestamp|ייחודיות|זהות/],
        prompt: 2,
      },
      {
        type: ['decision', 'preference', 'change', 'bugfix'],
        says: [/לזרוק את כל המטריקה|נזרקת/, /משקר|scrape/],
        prompt: 3,
      },
      { type: ['preference', 'decision', 'gotcha'], says: [/promtool check config/, /reload/], prompt: 3 },
      {
        type: ['gotcha', 'discovery', 'change', 'decision', 'bugfix'],
        says: ['CheckoutSlow', /עיוור/],
        prompt: 3,
      },
    ],
    niceToHave: [
      { type: ['discovery', 'gotcha', 'how-it-works'], says: [/קומפקציה/], prompt: 1 },
      { type: ['discovery', 'decision', 'gotcha'], says: [/להגדיל זיכרון/], prompt: 1 },
      { type: ['change', 'bugfix', 'discovery'], says: [/3\.1Gi/], prompt: 3 },
      { type: ['change'], says: [/runbook/], prompt: 3 },
    ],
    summaries: [
      { prompt: 1, request: ['הפרומתאוס'], learned: ['session_id'] },
      { prompt: 2, request: ['labeldrop'], learned: [/labeldrop|same timestamp/] },
      {
        prompt: 3,
        request: ['promtool'],
        completed: [/3\.1Gi|נזרקת|runbook/],
        nextSteps: [/טיקט|להחזיר את המטריקה/],
      },
    ],
    noise: ['לילה שקט'],
    untrue: [/labeldrop (פותר|עובד|תיקן)/, /labeldrop עלה לפרוד/],
    followUps: [
      {
        asks: 'יש לנו לייבל user_agent על http_requests_total שמנפח את הסדרות, תוריד אותו ב-relabel',
        says: ['labeldrop', /same timestamp|ייחודיות|זהות/],
      },
      {
        asks: 'add a scrape job for the new payments service and roll it out to production',
        says: [/promtool check config/],
      },
      {
        asks: 'הצ׳קאאוט היה איטי אתמול ולא קיבלנו שום התראה, למה?',
        says: ['CheckoutSlow', /עיוור/],
      },
    ],
    unrelated: [
      'תוסיף דשבורד בגרפנה לתור ההדפסות של המחסן',
      'צריך לחדש את התעודה של vpn.internal, איפה הסקריפט?',
    ],
  },
};
