import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const SYNC = 'app/src/main/kotlin/rigcheck/sync';
const PULL = `${SYNC}/PullSync.kt`;
const OUTBOX = `${SYNC}/OutboxWorker.kt`;
const PHOTOS = `${SYNC}/PhotoUploadWorker.kt`;
const JANITOR = `${SYNC}/PhotoJanitor.kt`;
const TOKENS = 'app/src/main/kotlin/rigcheck/auth/TokenProvider.kt';
const ADR = 'docs/adr/0007-pull-cursor.md';
const API = 'docs/api/sync.md';
const GRADLE = 'app/build.gradle.kts';

export const syncQuestionsEn: SurveySession = {
  name: 'sync questions en',
  about: 'Somebody new on an offline-first Android app asks how the sync works and why; nothing is changed.',
  kind: 'question',
  language: 'en',
  ecosystem: 'kotlin',
  files: {
    'settings.gradle.kts': 'rootProject.name = "rigcheck"\ninclude(":app")\n',
    [GRADLE]: `android {
    defaultConfig { buildConfigField("int", "PHOTO_DAYS", "30") }
    buildTypes {
        debug { buildConfigField("int", "PHOTO_DAYS", "7") }
    }
}
`,
    [PULL]: `package rigcheck.sync

class PullSync(private val api: SyncApi, private val db: RigDatabase) {
    suspend fun run() {
        while (true) {
            val page = try {
                api.changes(after = db.cursor().get(), limit = 500)
            } catch (e: CursorExpired) {
                fullResync()
                return
            }
            db.withTransaction {
                db.inspections().upsert(page.rows.filterNot { it.deleted })
                db.inspections().deleteAll(page.rows.filter { it.deleted }.map { it.id })
                db.cursor().set(page.cursor)
            }
            if (page.last) return
        }
    }

    /** Everything that is not in the outbox goes. */
    private suspend fun fullResync() {
        db.withTransaction {
            db.inspections().deleteAllExcept(db.outbox().ids())
            db.cursor().clear()
        }
        run()
    }
}
`,
    [OUTBOX]: `package rigcheck.sync

class OutboxWorker(context: Context, params: WorkerParameters) : CoroutineWorker(context, params) {
    override suspend fun doWork(): Result {
        for (entry in outbox.oldestFirst()) {
            // The key makes a second attempt harmless.
            val answer = api.submit(entry.body, idempotencyKey = entry.id, bearer = tokens.fresh())
            if (answer.code == 409) { outbox.park(entry); continue }
            if (!answer.ok) return Result.retry()
            outbox.remove(entry)
        }
        return Result.success()
    }
}
`,
    [PHOTOS]: `package rigcheck.sync

/** Runs on Wi-Fi only, next to the outbox worker. */
class PhotoUploadWorker(context: Context, params: WorkerParameters) : CoroutineWorker(context, params) {
    override suspend fun doWork(): Result {
        for (photo in photos.pending()) {
            api.upload(photo, bearer = tokens.fresh())
            photos.markUploaded(photo.id, clock.now())
        }
        return Result.success()
    }
}
`,
    [JANITOR]: `package rigcheck.sync

class PhotoJanitor(private val photos: PhotoDao, private val clock: Clock) {
    suspend fun run() {
        val before = clock.now() - BuildConfig.PHOTO_DAYS.days
        for (photo in photos.uploadedBefore(before)) photos.deleteFile(photo)
    }
}

// PhotoDao: SELECT * FROM photo WHERE uploaded_at IS NOT NULL AND uploaded_at < :before
`,
    [TOKENS]: `package rigcheck.auth

class TokenProvider(private val api: AuthApi, private val store: TokenStore) {
    private val mutex = Mutex()

    suspend fun fresh(): String {
        store.access()?.takeIf { it.validFor(60.seconds) }?.let { return it.value }
        return mutex.withLock {
            // Somebody else may have refreshed while we waited.
            store.access()?.takeIf { it.validFor(60.seconds) }?.let { return it.value }
            val pair = api.refresh(store.refreshToken())
            store.save(pair)
            pair.access.value
        }
    }
}
`,
    [ADR]: `# 7. A cursor for the pull

We asked for updated_at > last sync. The server sets updated_at when a transaction begins, so a row of a
long transaction appears with a time that the tablets have already passed. In the March import 312
inspections never reached a tablet.

Decision: change_seq, assigned in commit order by one writer. The cursor is opaque, the server may
change its content.
`,
    [API]: `# Sync API

- Deleted rows are sent with deleted=true and kept for 90 days.
- A cursor older than that gets 410 CURSOR_EXPIRED.
- Refresh tokens are valid once. A second use revokes the whole family: the device has to log in again.
- 409 on submit: the inspection was closed in the office meanwhile.
`,
  },
  prompts: [
    'hey, new here. why does the pull use this opaque cursor thing instead of plain updated_at > lastSync? feels overcomplicated. short answers please, with file names, i want to read along',
    'makes sense. and if the tablet dies in the middle of a pull? do we lose rows or get them twice. what about tablets that sit in a drawer all winter',
    "saw the Mutex in TokenProvider. can i drop that? there's only one sync worker anyway",
    "ok i'll leave it in then. last one: how long do photos stay on the tablet, somebody in the office told me 7 days? and where would i change it. not remote config btw, we threw that out last year after a broken value locked up tablets that were offline and we couldn't reach them",
  ],
  script: (dir) => {
    const { run, read } = callsIn(dir);
    return {
      main: [
        [
          say('Welcome! Let me look at the code and at the decision records.'),
          read(PULL),
          run(
            'grep -rln cursor docs',
            'Is there anything written down about the cursor',
            '0007-pull-cursor.md',
          ),
        ],
        [read(ADR)],
        [
          say(`Because timestamps lost data. \`updated_at\` was the first version, and \`docs/adr/0007-pull-cursor.md\` says why it went:

- The server sets \`updated_at\` when a transaction begins, not when it commits. A row from a long transaction shows up with a time the tablets have already passed, and \`updated_at > lastSync\` never returns it.
- In the March import 312 inspections never reached any tablet that way.
- The cursor wraps \`change_seq\`, which one writer assigns in commit order, so nothing can appear behind it.

It's opaque so that the server can change its content. The app must not parse it or compare two of them; \`PullSync.kt\` only stores it and sends it back.`),
        ],
        [
          run(
            'grep -n "withTransaction\\|CursorExpired\\|limit" app/src/main/kotlin/rigcheck/sync/PullSync.kt',
            'Where the cursor is saved',
            'withTransaction',
          ),
          read(API),
        ],
        [
          say(`**Dies mid-pull:** nothing is lost, and at most one page comes again. Each page of 500 rows and its cursor are saved in the same Room transaction (\`PullSync.kt\`), so either both are there or neither. A page that arrives twice does no harm since rows are upserted by id. If anyone ever moves \`cursor().set\` out of that transaction, a crash in between skips up to 500 rows for good.

**All winter in a drawer:** deletions are the problem. The server keeps deleted rows for 90 days only (\`docs/api/sync.md\`). After that a tablet could not learn that something was deleted, so the server answers 410 CURSOR_EXPIRED and the app does a full resync: it wipes the local inspections except those still in the outbox, and pulls from the start. Unsent work survives.

Hope that helps!`),
        ],
        [
          say("I'll check who calls it before I say yes."),
          read(TOKENS),
          run('grep -rn "tokens.fresh" app/src', 'Callers of fresh()', 'PhotoUploadWorker.kt'),
        ],
        [read(OUTBOX), read(PHOTOS)],
        [
          say(`I'd keep it. There are two workers, not one: \`OutboxWorker\` and \`PhotoUploadWorker\` run side by side on Wi-Fi, and both call \`tokens.fresh()\`.

Refresh tokens are valid once (\`docs/api/sync.md\`). Without the Mutex both workers would send the same refresh token, the server takes the second use for theft, revokes the whole family, and the inspector is logged out in the field, where there is often no way to log in again.

The second check inside the lock is needed too: the one who waited must see the new token instead of refreshing again with the stale one.

One more thing while reading: a 409 on submit does not stop the outbox. It means the inspection was closed in the office meanwhile; the entry is parked and the loop goes on with the next one.`),
        ],
        [read(JANITOR), read(GRADLE)],
        [
          say(`30 days on real tablets. The 7 is from the debug build: \`PHOTO_DAYS\` in \`app/build.gradle.kts\` is 30 by default and 7 for \`debug\`, so whoever said that was probably holding a test device.

- The days count from \`uploaded_at\`, not from when the photo was taken.
- A photo that was never uploaded is never deleted, however old it is: \`PhotoJanitor\` only looks at rows with \`uploaded_at\` set. A tablet that never sees Wi-Fi therefore fills up.
- To change it, edit the default in \`build.gradle.kts\`; it takes effect with the next app release. A build-time value also fits what you say about remote config, since an offline tablet can't receive a bad one.

Happy reading, and feel free to ask whenever something looks odd!`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['decision', 'how-it-works', 'gotcha', 'discovery'],
        says: [/updated_at/, /transaction/, /begins|commit|312/],
        prompt: 1,
      },
      {
        type: ['how-it-works', 'gotcha', 'discovery'],
        says: [/cursor/, /same (Room )?transaction|out of that transaction/, /500|page/],
        prompt: 2,
      },
      {
        type: ['how-it-works', 'gotcha', 'discovery'],
        says: [/90 days/, /CURSOR_EXPIRED|full resync|410/, /delet/],
        prompt: 2,
      },
      {
        type: ['gotcha', 'how-it-works', 'decision', 'discovery'],
        says: [/Mutex/, /refresh token/, /revokes|logged out|both workers/],
        prompt: 3,
      },
      {
        type: ['discovery', 'how-it-works', 'gotcha'],
        says: [/30/, /PHOTO_DAYS|photo|tablets/, /debug/],
        prompt: 4,
      },
      {
        type: ['how-it-works', 'gotcha', 'discovery'],
        says: [/never uploaded|uploaded_at/, /never deleted|fills up|not from when/],
        prompt: 4,
      },
      {
        type: ['preference', 'decision', 'gotcha'],
        says: [/remote config/, /offline|broken value/],
        prompt: 4,
      },
    ],
    niceToHave: [
      { type: ['how-it-works', 'gotcha', 'decision'], says: [/opaque/, /parse|compare|server/] },
      { type: ['how-it-works', 'gotcha', 'discovery'], says: [/409/, /parked|closed in the office/] },
      { type: ['how-it-works', 'gotcha'], says: [/outbox/, /wipes|survives/, /resync|Unsent/] },
      { type: ['gotcha', 'how-it-works'], says: [/second check/, /stale|new token/] },
      { type: ['preference'], says: [/short/, /file names/] },
    ],
    summaries: [
      { prompt: 1, request: [/cursor/], learned: [/updated_at|change_seq/], filesRead: [PULL, ADR] },
      { prompt: 2, request: [/middle of a pull|drawer/], learned: [/90 days|transaction/], filesRead: [API] },
      {
        prompt: 3,
        request: [/Mutex/],
        learned: [/refresh token|two workers/i],
        filesRead: [TOKENS, OUTBOX, PHOTOS],
      },
      { prompt: 4, request: [/photos/], learned: [/30 days|uploaded_at/], filesRead: [JANITOR, GRADLE] },
    ],
    noise: [
      'Welcome! Let me look at the code',
      'Hope that helps!',
      "I'll check who calls it before I say yes",
      'feel free to ask whenever something looks odd',
      /hey, new here/,
      'Happy reading',
    ],
    untrue: [],
    followUps: [
      {
        asks: 'I want to simplify the download endpoint: client sends its last sync time, server returns everything newer',
        says: [/updated_at/, /312|begins|commit/],
      },
      {
        asks: 'a device that was switched off since autumn deleted all its local records on start, is that a bug?',
        says: [/90 days/, /full resync|CURSOR_EXPIRED/],
      },
      {
        asks: 'inspectors get thrown back to the login screen since my cleanup in the auth package, any idea?',
        says: [/Mutex/, /refresh token/],
      },
      {
        asks: 'tablet storage is full of old pictures from months ago, shouldnt they have been cleaned up?',
        says: [/uploaded_at|never uploaded/, /never deleted|fills up/],
      },
      {
        asks: "let's add a server side switch for the retention so support can tune it without a release",
        says: [/remote config/, /offline|broken value/],
      },
    ],
    unrelated: [
      'add a dark theme to the settings screen',
      'when would I use a sealed interface instead of an enum class in Kotlin?',
      'the PDF report cuts off long site names in the header, have a look at the layout',
    ],
  },
};
