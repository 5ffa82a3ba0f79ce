import { callsIn, say } from '../calls.ts';
import type { SurveySession } from '../session.ts';

const OFFER = 'app/services/waitlist_offer.rb';
const ENTRY = 'app/models/waitlist_entry.rb';
const BOOKING = 'app/models/booking.rb';
const LESSON = 'app/models/lesson.rb';
const MAIL = 'app/jobs/waitlist_mail_job.rb';
const CLOSING = 'app/jobs/daily_closing_job.rb';
const MIGRATION = 'db/migrate/20250610021500_create_waitlist_entries.rb';
const SPEC = 'spec/services/waitlist_offer_spec.rb';

const BUNDLE = `#!/bin/sh
# Stands in for bundle exec rspec: judges the code by its text.
red() { echo "  1) WaitlistOffer $1"; echo "     $2"; echo "$3 examples, 1 failure"; exit 1; }
[ -f ${SPEC} ] || { echo "88 examples, 0 failures"; exit 0; }
grep -q 'Asia/Tokyo' ${OFFER} || red "22時の空きは翌朝9時に送る" "expected 2025-06-11 09:00 +0900, got 2025-06-10 22:00 +0900" 92
if grep -q 'Thread' ${SPEC}; then
  grep -q 'lock_version' ${MIGRATION} && red "同時に二人キャンセル" "ActiveRecord::StaleObjectError: Attempted to update a stale object: WaitlistEntry (Booking#cancel! rolled back)" 93
  grep -q 'with_lock' ${OFFER} || red "同時に二人キャンセル" "expected 2 entries offered, got 1 (entry 31 mailed twice)" 93
fi
if grep -q '3時間' ${SPEC}; then
  grep -q 'SHORT_HOLD = 3.hours' ${OFFER} || red "直前のクラスは3時間" "expected 3 hours" 95
  echo "95 examples, 0 failures"; exit 0
fi
grep -q 'Thread' ${SPEC} && echo "93 examples, 0 failures" || echo "92 examples, 0 failures"
`;

export const waitlistJa: SurveySession = {
  name: 'waitlist ja',
  about:
    '陶芸教室の予約にキャンセル待ちを付ける。タイムゾーンと同時キャンセルでつまずき、返答期限は後から48時間に変わる。',
  kind: 'feature',
  language: 'ja',
  ecosystem: 'ruby',
  files: {
    Gemfile: "source 'https://rubygems.org'\ngem 'rails', '~> 7.2'\ngem 'sidekiq'\n",
    'config/application.rb': `module Tsuchi
  class Application < Rails::Application
    config.load_defaults 7.2
    # config.time_zone is not set: UTC
    config.active_job.queue_adapter = :sidekiq
  end
end
`,
    [LESSON]: `class Lesson < ApplicationRecord
  has_many :bookings

  def full? = bookings.active.count >= capacity
end
`,
    [BOOKING]: `class Booking < ApplicationRecord
  belongs_to :lesson
  scope :active, -> { where(cancelled_at: nil) }

  def cancel!
    update!(cancelled_at: Time.current)
  end
end
`,
    [CLOSING]: `# 会計ソフトが UTC の日付で取り込むので、日付は Time.zone.today のまま。
class DailyClosingJob < ApplicationJob
  def perform = ClosingReport.create!(day: Time.zone.today.yesterday)
end
`,
    'spec/models/booking_spec.rb': "RSpec.describe Booking do\n  it 'キャンセルできる'\nend\n",
  },
  programs: { bundle: BUNDLE },
  prompts: [
    '満席のクラスにキャンセル待ちを付けたいです。空きが出たら先頭の人にメールして、24時間以内に返事がなければ次の人へ。あと夜9時〜朝9時はメール送らないで。前に夜中に通知が飛んで苦情すごかったので',
    'いい感じ。ちょっと気になったんだけど、二人が同時にキャンセルしたら同じ人に2回行ったりしない？',
    '教室のスタッフから、24時間だと週末気づかない人が多いって言われた。48時間にしてください。ただ開始まで48時間切ってるクラスはそんなに待てないから3時間で。あとコミットはこっちでまとめてやるんで、gitは触らないでください',
  ],
  script: (dir) => {
    const { run, fail, read, edit, write } = callsIn(dir);
    return {
      main: [
        [
          say('まず今の予約まわりのコードを見ます。'),
          read(LESSON),
          read(BOOKING),
          read('config/application.rb'),
        ],
        [run('bundle exec rspec', '現状のテスト', '88 examples, 0 failures')],
        [
          say(
            '待ち行列は `waitlist_entries` テーブルにします。Redis のリストに置く案もありますが、順番の問い合わせに答えられなくなるのでDBにします。期限は空きが出た時刻ではなく、メールの送信時刻から数えます。夜に空きが出ると、朝9時に届いた時点で残りが半分になってしまうからです。',
          ),
          write(
            MIGRATION,
            `class CreateWaitlistEntries < ActiveRecord::Migration[7.2]
  def change
    create_table :waitlist_entries do |t|
      t.references :lesson, null: false
      t.references :member, null: false
      t.string :state, null: false, default: 'waiting'
      t.datetime :mail_at
      t.datetime :expires_at
      t.timestamps
      t.index %i[lesson_id member_id], unique: true
    end
  end
end
`,
          ),
          write(
            ENTRY,
            "class WaitlistEntry < ApplicationRecord\n  belongs_to :lesson\n  belongs_to :member\n  scope :waiting, -> { where(state: 'waiting') }\nend\n",
          ),
          write(
            OFFER,
            `class WaitlistOffer
  HOLD = 24.hours
  QUIET_FROM = 21
  QUIET_TO = 9

  def self.call(lesson)
    entry = lesson.waitlist_entries.waiting.order(:created_at).first or return
    mail_at = after_quiet_hours(Time.current)
    entry.update!(state: 'offered', mail_at:, expires_at: mail_at + HOLD)
    WaitlistMailJob.set(wait_until: mail_at).perform_later(entry.id)
  end

  def self.after_quiet_hours(time)
    local = time
    return local.change(hour: QUIET_TO) if local.hour < QUIET_TO
    return (local + 1.day).change(hour: QUIET_TO) if local.hour >= QUIET_FROM
    local
  end
end
`,
          ),
          write(
            MAIL,
            'class WaitlistMailJob < ApplicationJob\n  self.enqueue_after_transaction_commit = :always\n\n  def perform(id) = WaitlistMailer.offer(WaitlistEntry.find(id)).deliver_now\nend\n',
          ),
          edit(
            BOOKING,
            '    update!(cancelled_at: Time.current)\n',
            '    transaction do\n      update!(cancelled_at: Time.current)\n      WaitlistOffer.call(lesson)\n    end\n',
          ),
          edit(LESSON, '  has_many :bookings\n', '  has_many :bookings\n  has_many :waitlist_entries\n'),
        ],
        [
          write(
            SPEC,
            `RSpec.describe WaitlistOffer do
  it '先頭の人に送る'
  it '空きが出ても待ちがいなければ何もしない'
  it '期限はメールの送信時刻から'
  it '22時の空きは翌朝9時に送る'
end
`,
          ),
          fail('bundle exec rspec', 'テスト', '22時の空きは翌朝9時に送る'),
        ],
        [
          say(
            '夜間判定が効いていません。アプリのタイムゾーンがUTCのままなので `Time.current.hour` は日本時間より9時間ずれます。22時が13時に見えている。config.time_zone を変えるのが早そうですが、影響を確認します。',
          ),
          run('grep -rn "Time.zone\\|Date.current" app', 'Time.zone に依存している所', 'Time.zone.today'),
          read(CLOSING),
        ],
        [
          say(
            '`DailyClosingJob` の締めの日付がUTC前提（会計ソフトがUTCの日付で取り込む）なので、config.time_zone は触らず、夜間判定だけ Asia/Tokyo に変換します。',
          ),
          edit(OFFER, '    local = time\n', "    local = time.in_time_zone('Asia/Tokyo')\n"),
        ],
        [run('bundle exec rspec', 'もう一度', '92 examples, 0 failures')],
        [
          say(`キャンセル待ちが動くようになりました。テストは92件すべて通っています。

**動き**
- 予約がキャンセルされると \`WaitlistOffer\` が先頭の人を \`offered\` にし、メールを予約します。
- 返答期限は24時間です。メールの送信時刻から数え、空きが出た時刻からではありません（夜の空きで持ち時間が減るのを防ぐため）。
- 日本時間の21時〜9時に出た空きは朝9時に送ります。

**注意点**
- アプリのタイムゾーンはUTCです。時刻で判定するときは必ず \`in_time_zone('Asia/Tokyo')\` してください。最初それを忘れて22時に送信していました。
- \`config.time_zone\` を東京に変えてはいけません。\`DailyClosingJob\` の締め日が1日ずれ、会計ソフトの取り込みと合わなくなります。
- メールのジョブはコミット後に積みます（\`enqueue_after_transaction_commit\`）。そうしないとSidekiqがコミット前に動いて RecordNotFound になります。

ご不明な点があればお気軽にどうぞ。`),
        ],
        [
          say('鋭いご指摘です。実際に二つのスレッドで試してみます。'),
          edit(
            SPEC,
            "  it '22時の空きは翌朝9時に送る'\n",
            "  it '22時の空きは翌朝9時に送る'\n  it '同時に二人キャンセル' do\n    bookings.map { |b| Thread.new { b.cancel! } }.each(&:join)\n    expect(offered.count).to eq 2\n  end\n",
          ),
          fail('bundle exec rspec', '同時キャンセルのテスト', 'entry 31 mailed twice'),
        ],
        [
          say(
            'おっしゃる通り、同じ人に2回メールが行きます。両方のトランザクションが同じ先頭の人を読んでいるためです。まずは楽観ロック（lock_version）を試します。',
          ),
          edit(
            MIGRATION,
            '      t.timestamps\n',
            '      t.integer :lock_version, null: false, default: 0\n      t.timestamps\n',
          ),
          fail('bundle exec rspec', '楽観ロックで', 'StaleObjectError'),
        ],
        [
          say(
            '楽観ロックはだめでした。負けた方で StaleObjectError が出て、お客様のキャンセル自体がロールバックされます。クラスの行を `with_lock` で取る方式に変えます。',
          ),
          edit(MIGRATION, '      t.integer :lock_version, null: false, default: 0\n', ''),
          edit(
            OFFER,
            `    entry = lesson.waitlist_entries.waiting.order(:created_at).first or return
    mail_at = after_quiet_hours(Time.current)
    entry.update!(state: 'offered', mail_at:, expires_at: mail_at + HOLD)
    WaitlistMailJob.set(wait_until: mail_at).perform_later(entry.id)
`,
            `    lesson.with_lock do
      entry = lesson.waitlist_entries.waiting.order(:created_at).first or next
      mail_at = after_quiet_hours(Time.current)
      entry.update!(state: 'offered', mail_at:, expires_at: mail_at + HOLD)
      WaitlistMailJob.set(wait_until: mail_at).perform_later(entry.id)
    end
`,
          ),
          run('bundle exec rspec', 'with_lock で', '93 examples, 0 failures'),
        ],
        [
          say(
            'はい、起きていました。同時に二人キャンセルすると、同じ人に2回メールが届き、二人目の枠は誰にも案内されませんでした。今は `WaitlistOffer` がクラスの行を `with_lock` で押さえるので、案内は一件ずつ順に行われます。\n\n楽観ロック（lock_version）も試しましたが、競合するとキャンセル処理ごとロールバックされ、お客様にはエラーが見えてしまうのでやめました。テストは93件通っています。',
          ),
        ],
        [
          edit(OFFER, '  HOLD = 24.hours\n', '  HOLD = 48.hours\n  SHORT_HOLD = 3.hours\n'),
          edit(OFFER, 'expires_at: mail_at + HOLD)', 'expires_at: mail_at + hold_for(lesson, mail_at))'),
          edit(
            OFFER,
            '  def self.after_quiet_hours(time)\n',
            '  def self.hold_for(lesson, mail_at) = lesson.starts_at - mail_at < HOLD ? SHORT_HOLD : HOLD\n\n  def self.after_quiet_hours(time)\n',
          ),
          edit(
            SPEC,
            "  it '同時に二人キャンセル' do\n",
            "  it '普段は48時間'\n  it '直前のクラスは3時間'\n  it '同時に二人キャンセル' do\n",
          ),
        ],
        [run('bundle exec rspec', 'テスト', '95 examples, 0 failures')],
        [
          say(`変更しました。テストは95件通っています。gitには触っていません。

- 返答期限は48時間、開始まで48時間を切っているクラスは3時間です。
- 「切っているか」の判定は、メールの送信時刻を基準にしています。深夜の空きでも朝9時時点で判断します。
- 一点だけ未対応です。開始が朝10時のクラスで前夜に空きが出ると、期限の12時が開始より後になります。開始時刻で打ち切る処理を次に入れるのがよいと思います。

他にも気になる点があればお知らせください。`),
        ],
      ],
    };
  },
  expects: {
    essentials: [
      {
        type: ['preference', 'decision'],
        says: [/夜9時|21時/, /朝9時|9時/, /苦情|夜中|送らない/],
        prompt: 1,
      },
      {
        type: ['gotcha', 'bugfix', 'discovery', 'decision'],
        says: [/UTC/, /Asia\/Tokyo|日本時間/, /22時|9時間ずれ|夜間|時刻/],
      },
      { type: ['gotcha', 'decision'], says: [/config\.time_zone/, /DailyClosingJob|締め/, /会計/] },
      { type: ['decision', 'how-it-works', 'feature'], says: [/期限/, /送信時刻/, /空き/] },
      {
        type: ['bugfix', 'discovery', 'gotcha', 'decision'],
        says: [/with_lock/, /同じ人|2回|同時/],
        prompt: 2,
      },
      {
        type: ['decision', 'gotcha', 'discovery'],
        says: [/楽観ロック|lock_version/, /ロールバック|StaleObjectError/, /キャンセル/],
        prompt: 2,
      },
      { type: ['change', 'feature', 'preference', 'decision'], says: [/48時間/, /3時間/], prompt: 3 },
      { type: ['preference'], says: [/コミット|git/, /こっちで|触らない|しない/], prompt: 3 },
    ],
    niceToHave: [
      {
        type: ['gotcha', 'decision', 'how-it-works'],
        says: [/コミット前|コミット後|enqueue_after_transaction_commit/, /ジョブ|Sidekiq/],
      },
      { type: ['decision'], says: [/Redis/, /順番|DB/] },
      { type: ['gotcha', 'discovery', 'change'], says: [/開始/, /打ち切|未対応|期限の12時/] },
      {
        type: ['feature', 'change'],
        says: [/WaitlistOffer|waitlist_entries/, /先頭|キャンセル待ち/],
        files: [OFFER],
      },
    ],
    summaries: [
      {
        prompt: 1,
        request: [/キャンセル待ち/],
        completed: [/WaitlistOffer|キャンセル待ち/],
        learned: [/UTC|time_zone/],
        filesModified: [OFFER, BOOKING],
      },
      { prompt: 2, request: [/同時/], completed: [/with_lock|一件ずつ/], filesModified: [OFFER, SPEC] },
      {
        prompt: 3,
        request: [/48時間/],
        completed: [/48時間/],
        nextSteps: [/打ち切|開始時刻/],
        filesModified: [OFFER, SPEC],
      },
    ],
    noise: [
      'ご不明な点があればお気軽にどうぞ',
      '鋭いご指摘です',
      'まず今の予約まわりのコードを見ます',
      '他にも気になる点があればお知らせください',
      /いい感じ。ちょっと気になったんだけど/,
    ],
    untrue: [/返答期限は24時間です/, /HOLD = 24\.hours(?!.{0,30}48)/, /config\.time_zone を変えるのが早そう/],
    followUps: [
      {
        asks: 'application.rb で日本のタイムゾーンを設定しておきたい。今さらだけど一行で済むよね？',
        says: [/config\.time_zone/, /締め|会計/],
      },
      {
        asks: 'お客様から「案内が来てからどれくらいで返事すればいいの」と問い合わせ。どう答える？',
        says: [/48時間/, /3時間/],
      },
      {
        asks: '空きが出たら何時でもすぐ知らせるようにプッシュ通知も追加して',
        says: [/夜9時|21時/, /苦情|夜中|送らない/],
      },
      {
        asks: '行ロックは遅いから、バージョン番号で競合を見る方式に直そうと思う',
        says: [/楽観ロック|lock_version/, /ロールバック|StaleObjectError/],
      },
      { asks: '終わったらブランチ切ってそのまま push しといて', says: [/コミット|git/, /触らない|こっちで/] },
    ],
    unrelated: [
      '講師のプロフィール画像をアップロードできるようにして',
      'Rubyの Struct と Data の違いを教えて',
      '釉薬の在庫一覧でソートが効かない。どこを直せばいい？',
    ],
  },
};
