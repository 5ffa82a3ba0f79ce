import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const MODELS = 'payouts/models.py';
const VIEWS = 'payouts/views.py';
const RELAY = 'payouts/relay.py';
const CLEANUP = 'payouts/cleanup.py';

export const outboxQuestionsAr: SurveySession = {
  name: 'outbox-questions-ar',
  about:
    'أسئلة فقط عن جدول outbox في خدمة التحويلات: لماذا هو موجود، هل تتكرر الرسائل، متى تُحذف الصفوف، وخيار مرفوض.',
  kind: 'question',
  language: 'ar',
  ecosystem: 'python',
  files: {
    'pyproject.toml': '[project]\nname = "payouts"\nrequires-python = ">=3.11"\n',
    [MODELS]: `class OutboxRow(Base):
    __tablename__ = "outbox"
    id = mapped_column(BigInteger, primary_key=True)
    event_id = mapped_column(UUID, unique=True)
    payload = mapped_column(JSONB)
    attempts = mapped_column(Integer, default=0)
    sent_at = mapped_column(DateTime(timezone=True), nullable=True)
`,
    [VIEWS]: `@router.post("/payouts")
async def create(body: PayoutIn, db: Session):
    async with db.begin():
        payout = Payout(**body.dict())
        db.add(payout)
        db.add(OutboxRow(event_id=uuid4(), payload=payout.as_event()))
    return payout
`,
    [RELAY]: `BATCH = 100
POLL_SECONDS = 2
MAX_ATTEMPTS = 10

async def tick(db, producer):
    rows = await db.execute(
        select(OutboxRow)
        .where(OutboxRow.sent_at.is_(None), OutboxRow.attempts < MAX_ATTEMPTS)
        .order_by(OutboxRow.id)
        .limit(BATCH)
        .with_for_update(skip_locked=True)
    )
    for row in rows.scalars():
        await producer.send("payouts", row.payload)
        row.sent_at = now()
    await db.commit()
`,
    [CLEANUP]: `RETENTION_DAYS = 7

async def purge(db):
    await db.execute(
        delete(OutboxRow).where(OutboxRow.sent_at < now() - timedelta(days=RETENTION_DAYS))
    )
`,
  },
  prompts: [
    'توني داخل على المشروع وقبل ما ألمس شي أبغى أفهم: ليش عندنا جدول outbox وليش الـ view ما يرسل لـ Kafka على طول؟ بس جاوب، لا تعدّل أي ملف',
    'طيب معناته ممكن المستهلك يجيه نفس التحويل مرتين؟؟ هذي فلوس! وبعدين فهد يقول الصفوف تنحذف بعد 30 يوم، صح؟',
    'واضح، مشكور. على فكرة لا تقترحون علينا Debezium، جربناه السنة اللي فاتت وفريق البنية رفضه لأنه يحتاج صلاحية replication على قاعدة الإنتاج. وإذا أحد غيّر relay لازم يبلغ فريق المحاسبة قبلها بيوم',
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [say('سؤال مهم، خلني أقرأ الكود أولاً.'), read(VIEWS), read(MODELS), read(RELAY)],
        [
          say(`السبب هو الذرّية. لو أرسل الـ view إلى Kafka مباشرة فقد تنجح كتابة التحويل في Postgres ويفشل الإرسال، أو العكس، ولا توجد معاملة واحدة تجمع الاثنين. لذلك يُكتب التحويل وصف outbox في نفس المعاملة، فإما أن يُحفظا معاً أو لا يُحفظ شيء.

بعدها يعمل \`relay.py\` كل ثانيتين: يأخذ 100 صف كحد أقصى بـ FOR UPDATE SKIP LOCKED، فيمكن تشغيل أكثر من نسخة منه دون أن تأخذ نسختان الصف نفسه.

هل تريد أن أشرح جزءاً معيناً بتفصيل أكثر؟`),
        ],
        [read(CLEANUP), run('grep -rn "event_id" payouts || true', 'أين يُستخدم event_id', 'event_id')],
        [
          say('وجدت شيئاً في ترتيب الأسطر داخل tick، أتأكد منه.'),
          run(
            'grep -n "send\\|sent_at\\|commit\\|attempts" payouts/relay.py',
            'ترتيب الإرسال والحفظ',
            'commit',
          ),
        ],
        [
          say(`نعم، ممكن. الضمان هنا at-least-once: الإرسال يسبق commit، فإذا مات relay بينهما تُرسل الدفعة كلها من جديد، أي حتى 100 رسالة. لذلك يجب على كل مستهلك أن يتجاهل المكرر بحسب event_id، وهذا غير مكتوب في أي مكان.

وانتبه، event_id موجود كعمود في outbox لكنه لا يدخل في payload الذي يُرسل، فالمستهلك لا يراه اليوم إلا إذا أضافه as_event.

أما الحذف فليس بعد 30 يوماً: القيمة في cleanup.py هي RETENTION_DAYS = 7، وتُحذف فقط الصفوف التي لها sent_at. الصف الذي يصل إلى 10 محاولات يبقى في الجدول إلى الأبد ولا ينبّه أحداً.

وملاحظة أخيرة: attempts لا يُزاد في أي سطر من relay.py، فحد العشر محاولات لا يعمل أصلاً.`),
        ],
        [say('تمام، وصلت. بالتوفيق في المشروع، وأنا موجود إذا احتجت أي شيء!')],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['how-it-works', 'decision', 'discovery'],
        says: [/Kafka/, /نفس المعاملة|معاملة واحدة/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'how-it-works', 'discovery'],
        says: [/at-least-once|commit/, /من جديد|المكرر/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/event_id/, /payload/],
        prompt: 2,
      },
      {
        type: ['discovery', 'how-it-works', 'gotcha'],
        says: [/RETENTION_DAYS|30 يوم/, /7/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'discovery'],
        says: [/attempts/, /لا يُزاد|لا يعمل/],
        prompt: 2,
      },
      { type: ['preference', 'decision'], says: [/Debezium/, /replication/], prompt: 3 },
      { type: 'preference', says: [/relay/, /المحاسبة/], prompt: 3 },
    ],
    niceToHave: [
      { type: ['how-it-works', 'discovery'], says: [/SKIP LOCKED/, /نسخة|نسختان/], prompt: 1 },
      { type: ['gotcha', 'discovery', 'how-it-works'], says: [/10 محاولات/, /إلى الأبد|ينبّه/], prompt: 2 },
    ],
    summaries: [
      { prompt: 1, request: [/outbox/], learned: [/المعاملة|Kafka/], filesRead: [RELAY] },
      { prompt: 2, request: [/المستهلك/], learned: [/at-least-once|event_id/], filesRead: [CLEANUP] },
      { prompt: 3, optional: true, request: [/Debezium/] },
    ],
    noise: [
      'خلني أقرأ الكود أولاً',
      'هل تريد أن أشرح جزءاً',
      'بالتوفيق في المشروع',
      'وجدت شيئاً في ترتيب الأسطر',
      'هذي فلوس',
    ],
    untrue: [
      /(تُحذف|تنحذف|الحذف) (الصفوف )?بعد 30 يوم/,
      /exactly-once/,
      /(تم|جرى) (تعديل|إصلاح|تغيير) (relay|cleanup|attempts)/,
    ],
    followUps: [
      { asks: 'عميل وصله نفس المبلغ مكرر، كيف ممكن يصير هذا عندنا؟', says: [/at-least-once|commit|المكرر/] },
      { asks: 'أفكر ننقل الأحداث بـ CDC بدل الـ polling، وش رأيك؟', says: [/Debezium|replication/] },
      {
        asks: 'كم يوم نقدر نرجع للأحداث القديمة قبل ما تختفي من قاعدة البيانات؟',
        says: [/RETENTION_DAYS|7/],
      },
      { asks: 'بعدّل طريقة الإرسال في relay اليوم، أحد لازم يعرف؟', says: [/المحاسبة/] },
      { asks: 'رسالة فشل إرسالها كم مرة نعيد المحاولة قبل ما نوقف؟', says: [/attempts|محاولات/] },
    ],
    unrelated: [
      'أضف صفحة من نحن إلى الموقع',
      'حدّث إصدار ruff في pre-commit',
      'ترجم رسائل الخطأ في شاشة الدخول إلى الإنجليزية',
    ],
  },
};
